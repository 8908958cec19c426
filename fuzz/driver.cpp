// Runs a native target where there is no libFuzzer: replays inputs, then mutates them with a fixed
// seed. Takes libFuzzer's arguments, as far as it knows them, and says how many inputs ran.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::string;

std::mt19937_64 rng(1);
std::string artifacts = "./";

std::size_t below(std::size_t n) { return rng() % n; }

Bytes content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Bytes> inputs(const std::vector<std::string>& places) {
  std::vector<std::filesystem::path> files;
  for (const std::string& place : places) {
    if (!std::filesystem::is_directory(place)) files.emplace_back(place);
    if (std::filesystem::is_directory(place))
      for (const auto& entry : std::filesystem::directory_iterator(place))
        files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Bytes> out;
  for (const auto& file : files) out.push_back(content(file));
  return out;
}

// Bytes changed, cut out, repeated, or taken from another input.
Bytes mutated(Bytes data, const std::vector<Bytes>& others) {
  for (std::size_t times = 1 + below(4); times > 0; --times) {
    const std::size_t at = below(data.size() + 1), size = 1 + below(16);
    const Bytes& other = others[below(others.size())];
    switch (below(4)) {
      case 0:
        if (at < data.size()) data[at] = static_cast<char>(rng());
        break;
      case 1:
        data.erase(at, size);
        break;
      case 2:
        data.insert(at, Bytes(data, at, size));
        break;
      default:
        data.replace(at, size, Bytes(other, below(other.size() + 1), size));
    }
  }
  return data;
}

// The input is written before it is run: whatever ends the process, it is there.
void run(const Bytes& data) {
  const std::string path = artifacts + "crash-plain";
  std::ofstream(path, std::ios::binary) << data;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(data.data()), data.size());
  std::filesystem::remove(path);
}

}  // namespace

int main(int count, char** arguments) {
  double seconds = 1e9;
  long long runs = -1, done = 0;
  std::vector<std::string> places;
  for (int i = 1; i < count; ++i) {
    const std::string one = arguments[i];
    if (one.starts_with("-max_total_time=")) seconds = std::stod(one.substr(16));
    if (one.starts_with("-runs=")) runs = std::stoll(one.substr(6));
    if (one.starts_with("-artifact_prefix=")) artifacts = one.substr(17);
    if (!one.starts_with('-')) places.push_back(one);
  }
  const std::vector<Bytes> seeds = inputs(places);
  for (const Bytes& seed : seeds) run(seed), ++done;
  const auto begin = std::chrono::steady_clock::now();
  while (!seeds.empty() && (runs < 0 || done < runs)) {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    if (passed.count() >= seconds) break;
    run(mutated(seeds[below(seeds.size())], seeds));
    ++done;
  }
  std::fprintf(stderr, "stat::number_of_executed_units: %lld\n", done);
}
