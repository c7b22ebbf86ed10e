#include "arrays/records.h"

namespace winnow::python {

nb::object record_type(const std::vector<Field>& fields, std::size_t bytes) {
  nb::list names, formats, offsets;
  for (const Field& field : fields) {
    names.append(field.name);
    formats.append(field.format);
    offsets.append(field.offset);
  }
  nb::dict layout;
  layout["names"] = names;
  layout["formats"] = formats;
  layout["offsets"] = offsets;
  layout["itemsize"] = bytes;
  return nb::module_::import_("numpy").attr("dtype")(layout);
}

nb::object record_bytes(const void* data, std::size_t count, std::size_t bytes, nb::handle type,
                        nb::handle owner) {
  static const std::byte none{};  // an empty list may have no data
  const nb::object flat = nb::cast(nb::ndarray<nb::numpy, const std::uint8_t>(
      count > 0 ? static_cast<const std::uint8_t*>(data) : reinterpret_cast<const std::uint8_t*>(&none),
      {count * bytes}, owner));
  return flat.attr("view")(type);
}

}  // namespace winnow::python
