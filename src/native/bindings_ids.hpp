// What all bindings share: Python objects as ids and in errors, and the signals of the user.
#pragma once

#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>

#include "parse.hpp"
#include "workers.hpp"

namespace gainful {

namespace nb = nanobind;

// States what Python has made sure of; without it the memory would not be safe.
inline void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

// Ends the work where the user wants to stop.
inline Idle heeding_signals() {
  return [] {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
}

// A value that cannot be converted is our error to word; an interrupt is not.
inline void clear_expected_error() {
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
  PyErr_Clear();
}

inline nb::bytes to_bytes(Id id) { return nb::bytes(id.data(), id.size()); }

// Bytes that are no UTF-8 travel through Python as escapes, and come back as they were.
inline nb::str to_str(Id id) {
  const auto size = static_cast<Py_ssize_t>(id.size());
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(id.data(), size, "surrogateescape"));
}

// What an exception that says what is wrong is given; see BadInput in Python.
inline nb::tuple arguments_of(const BadInput& bad) {
  return nb::make_tuple(bad.reason, bad.line, bad.column, to_bytes(bad.text), to_bytes(bad.query),
                        to_bytes(bad.item), bad.first, bad.second);
}

// Text as an error shows it, at a length that a sentence can hold.
inline std::string shown_text(nb::handle text) {
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) {
    clear_expected_error();
    return "?";
  }
  return std::string(PyBytes_AsString(bytes.ptr())).substr(0, 200);
}

// What an error shows of a value: its repr, or its type where that fails.
inline std::string shown(nb::handle object) {
  nb::object text = nb::steal(PyObject_Repr(object.ptr()));
  if (!text.is_valid()) {
    clear_expected_error();
    text = nb::steal(PyObject_Str(object.type().ptr()));
  }
  if (text.is_valid()) return shown_text(text);
  clear_expected_error();
  return "?";
}

// Whether it is a uuid.UUID; who has one has imported the module.
inline bool is_uuid(nb::handle object) {
  const nb::object module = nb::steal(PyImport_GetModule(nb::str("uuid").ptr()));
  const nb::object type =
      module.is_valid() ? nb::steal(PyObject_GetAttrString(module.ptr(), "UUID")) : nb::object();
  const int is = type.is_valid() ? PyObject_IsInstance(object.ptr(), type.ptr()) : 0;
  clear_expected_error();
  return is == 1;
}

// The bytes of an id: text as UTF-8, whole numbers and UUIDs as they print, bytes as they are.
class IdBytes {
 public:
  // The query, if it is known, is for the error.
  explicit IdBytes(nb::handle object, Id query = {}) : owner_(nb::borrow(object)) {
    const nb::object held = owner_;  // converting it may run code that drops all others
    if (PyUnicode_Check(object.ptr())) {
      Py_ssize_t size = 0;
      if (const char* data = PyUnicode_AsUTF8AndSize(object.ptr(), &size)) {
        id_ = {data, static_cast<std::size_t>(size)};
        return;
      }
      clear_expected_error();
      owner_ = nb::steal(PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogateescape"));
    } else if (PyIndex_Check(object.ptr()) && !PyBool_Check(object.ptr())) {
      owner_ = nb::steal(PyNumber_Index(object.ptr()));
      if (owner_.is_valid()) owner_ = nb::steal(PyObject_Str(owner_.ptr()));
      if (owner_.is_valid()) owner_ = nb::steal(PyUnicode_AsUTF8String(owner_.ptr()));
    } else if (!PyBytes_Check(object.ptr()) && is_uuid(object)) {
      owner_ = nb::steal(PyObject_Str(object.ptr()));
      if (owner_.is_valid()) owner_ = nb::steal(PyUnicode_AsUTF8String(owner_.ptr()));
    }
    if (!owner_.is_valid() || !PyBytes_Check(owner_.ptr())) {
      clear_expected_error();
      throw BadInput{.reason = "id", .text = shown(object), .query = std::string(query)};
    }
    id_ = {PyBytes_AsString(owner_.ptr()), static_cast<std::size_t>(PyBytes_Size(owner_.ptr()))};
  }
  Id id() const { return id_; }

 private:
  nb::object owner_;
  Id id_;
};

}  // namespace gainful
