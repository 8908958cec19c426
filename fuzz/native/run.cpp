// Runs as text, joined with qrels: on any number of threads, in chunks and pieces of any size, by
// any scanner, under any options, the rankings are those of its lines added one by one.
#include "answers.hpp"
#include "rows.hpp"

using namespace gainful;

namespace {

struct Wanted {
  Options options;
  std::uint32_t kept;
  std::uint64_t heads, headed;
  bool lenient;
};

std::string by_rows(const Index& index, std::string_view text, const Wanted& wanted) {
  Aligner aligner(index, wanted.options, wanted.kept, wanted.heads, wanted.headed, {});
  Odd odd;
  std::string answer;
  try {
    const auto read = fuzz::plain::run(text, wanted.options, wanted.lenient);
    odd = read.odd;
    fuzz::plain::add(aligner, read.rows);
    answer = fuzz::described(aligner, aligner.finish({}));
  } catch (const BadInput& bad) {
    return fuzz::described(bad);
  }
  fuzz::Answer out;
  fuzz::describe(out, odd);
  return answer.substr(0, answer.rfind("\nodd")) + out.text();
}

std::string by_text(const Index& index, std::string_view text, const Wanted& wanted,
                    const fuzz::Way& way) {
  Aligner aligner(index, wanted.options, wanted.kept, wanted.heads, wanted.headed, way.reading);
  try {
    fuzz::read(aligner, text, way);
    return fuzz::described(aligner, aligner.finish({}));
  } catch (const BadInput& bad) {
    return fuzz::described(bad);
  }
}

Wanted drawn(fuzz::Input& input) {
  const auto order = static_cast<Order>(input.below(3));
  const auto ties = static_cast<Ties>(input.below(9));
  const auto duplicates = static_cast<Duplicates>(input.below(6));
  const std::uint8_t flags = input.byte();
  const std::uint64_t depth = input.below(8);
  const Options options{
      order, ties, duplicates, (flags & 1) != 0, (flags & 2) != 0, depth, (flags & 4) != 0};
  const std::uint8_t heads = input.byte();
  return {options, heads % 3u, heads / 3u % 4, heads / 12u % 3 == 0 ? ~0ull : heads / 12u % 3,
          (flags & 8) != 0};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const Wanted wanted = drawn(input);
  const fuzz::Way file = fuzz::Way::drawn(input, wanted.lenient, true);
  const fuzz::Way pieces = fuzz::Way::drawn(input, wanted.lenient, false);
  Index index({});
  fuzz::plain::add(index, fuzz::plain::qrels(input.until("\n%\n"), true).rows);
  index.finish(Duplicates::max, {});
  const std::string_view text = input.all();
  const std::string rows = by_rows(index, text, wanted);
  fuzz::require_same("text", by_text(index, text, wanted, fuzz::Way::plain(wanted.lenient)), rows);
  fuzz::require_same("a file", by_text(index, text, wanted, file), rows);
  fuzz::require_same("pieces", by_text(index, text, wanted, pieces), rows);
  return 0;
}
