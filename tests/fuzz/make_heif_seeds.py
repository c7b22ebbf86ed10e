#!/usr/bin/env python3
"""Writes small HEIC and AVIF files for the fuzzer of pictures to start from: make_heif_seeds.py FOLDER

This program fills FOLDER/picture. The pixels below were made of gradients by the encoders x265 and libaom. The program
puts boxes around them in many ways: turned, cropped, tiled, laid over one another, with alpha, and several in a file."""
import os
import struct
import sys

# Name: the type of the item, its size, the decoder's configuration, and the coded picture.
CODED = {
    "hevc-420": ("hvc1", 64, 64, "0103700000000000000000001ef000fcfdf8f800000f03200001001840010c01ffff037000000300900000"
                 "03000003001eba0240210001002b42010103700000030090000003000003001ea020810596ea4929ae6e04040c0800000300"
                 "0800000300084022000100074401c172b02240",
                 "000000502801af0b60f0e887338d5c68d418b8fe72c0155016f834bd0e463ae377974cf4c230d6b163ab12c9d5cd5e0a5aa2"
                 "30bf343fd8e1d3fc0cf83812a4c84fe27802f22e5f4801673ffb656cd858cdde1d78"),
    "hevc-444": ("hvc1", 64, 64, "0104080000000000000000001ef000fcfff8f800000f03200001001740010c01ffff0408000003009e3800"
                 "000300001eba0240210001002a4201010408000003009e3800000300001e90041020b2dd492535cdc0808181000003000100"
                 "000300010822000100084401c172860c0224",
                 "000000342801af0b60fac78e2b8d0cf20ef79e7aea4039cb18bbf8343df5de3a16bf2894384dff932fe6897aa92435bb458c"
                 "bf5b98da4980"),
    "hevc-gray": ("hvc1", 64, 64, "0104080000000000000000001ef000fcfcf8f800000f03200001001740010c01ffff0408000003009ff80"
                  "0000300001eba024021000100264201010408000003009ff800000300001ec08204165ba924a6b9b0200000030020000003"
                  "002122000100074401c172b02240", "000000172801ae16c0ec851113580a9f0a49e9c829d11c0b0f09d0"),
    "hevc-420-10": ("hvc1", 64, 64, "0104080000000000000000001ef000fcfdfafa00000f03200001001740010c01ffff0408000003009db"
                    "800000300001eba0240210001002a4201010408000003009db800000300001ea0208104d96ea4929ae6e04040c08000003"
                    "00080000003008422000100074401c172b02240",
                    "0000004d2801af0b60fac87b571a35062e3f9cb0055405be0d2f43918eb8dde5d33d2bedce62c4762593b4d296c33f9a13"
                    "03f2fe7cb365d5664ccfba56b41d492fe539915004bf6fed94ffd1bf31729c60"),
    "av1-420": ("av01", 16, 8, "81000c00", "12000a08180cbfb0408081a132131c8029a69a44004a852eb34fb0ebee544c4972"),
    "av1-444": ("av01", 16, 8, "81200200", "12000a08380cbfb081010348321a1c8029a69a44004ad6638a2916a9176c2fb33ab4b4c575"
                "7f9b68"),
    "av1-gray": ("av01", 16, 8, "81001c00", "12000a05180cbfb0a832091c80a69100051fa5c9"),
    "av1-420-10": ("av01", 16, 8, "81004c00", "0a05180cbfb70132171a000000500280004a0e794114f1e358d6c1b99b75f162"),
    "av1-422-10": ("av01", 16, 8, "81404a00", "12000a08580cbfb1204040d232161c8032cb2c84004a852eb32d627369a11291e6f8e7b2"),
    "av1-444-12": ("av01", 16, 8, "81406200", "12000a08580cbfb1a04040d132171c8032cb2c84004ad65ec40b1f973c9012c1db598fe780"),
}


def box(name, *parts):
    data = b"".join(parts)
    return struct.pack(">I", 8 + len(data)) + name.encode() + data


def full(name, version, flags, *parts):
    return box(name, struct.pack(">I", version << 24 | flags), *parts)


def size_property(width, height):
    return full("ispe", 0, 0, struct.pack(">2I", width, height))


class Item:
    """One item of a file: `refers` lists references from it, each a type and the numbers of items, from 1 on."""

    def __init__(self, kind, data, properties=(), refers=(), hidden=False):
        self.kind, self.data, self.properties = kind, data, list(properties)
        self.refers, self.hidden = list(refers), hidden


def coded(name, *more, size=None, **others):
    kind, width, height, configuration, data = CODED[name]
    setup = box("hvcC" if kind == "hvc1" else "av1C", bytes.fromhex(configuration))
    return Item(kind, bytes.fromhex(data), [setup, size_property(*(size or (width, height))), *more], **others)


def heif(brand, items, primary=1, inside=False):
    """`inside`: the data lie in the box `idat` of `meta`, not behind it."""
    kinds, uses = [], b""
    for number, item in enumerate(items, 1):
        uses += struct.pack(">HB", number, len(item.properties))
        for one in item.properties:
            if one not in kinds:
                kinds.append(one)
            uses += bytes([0x80 | kinds.index(one) + 1])
    infos = [full("infe", 2, int(item.hidden), struct.pack(">HH", number, 0), item.kind.encode(), b"\0")
             for number, item in enumerate(items, 1)]
    references = [box(kind, struct.pack(">HH%dH" % len(to), number, len(to), *to))
                  for number, item in enumerate(items, 1) for kind, to in item.refers]
    data = b"".join(item.data for item in items)

    def meta(begin):
        places = b""
        for number, item in enumerate(items, 1):
            places += struct.pack(">HHHHII", number, int(inside), 0, 1, begin, len(item.data))
            begin += len(item.data)
        return full("meta", 0, 0,
                    full("hdlr", 0, 0, bytes(4) + b"pict" + bytes(13)),
                    full("pitm", 0, 0, struct.pack(">H", primary)),
                    full("iloc", 1, 0, struct.pack(">BBH", 0x44, 0, len(items)), places),
                    full("iinf", 0, 0, struct.pack(">H", len(items)), *infos),
                    box("iprp", box("ipco", *kinds), full("ipma", 0, 0, struct.pack(">I", len(items)), uses)),
                    full("iref", 0, 0, *references) if references else b"",
                    box("idat", data) if inside else b"")

    head = box("ftyp", brand.encode(), bytes(4), brand.encode(), b"mif1")
    if inside:
        return head + meta(0)
    return head + meta(len(head) + len(meta(0)) + 8) + box("mdat", data)


def files_of(brand, one):
    """Files whose pixels are those of the coded picture `one`."""
    _, width, height, _, _ = CODED[one]
    gray = next(name for name in CODED if name.startswith(one.split("-")[0]) and name.endswith("-gray"))

    def grid(columns, rows, *more, **others):
        return Item("grid", struct.pack(">4B2H", 0, 0, rows - 1, columns - 1, columns * width - 3, rows * height - 1),
                    [size_property(columns * width - 3, rows * height - 1), *more], **others)

    crop = box("clap", struct.pack(">4I2i2I", width - 4, 1, height - 2, 1, 1, 1, 0, 1))
    colors = box("colr", b"nclx", struct.pack(">3HB", 1, 13, 6, 0x80))
    alpha = full("auxC", 0, 0, b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")
    profile = box("colr", b"prof", bytes(20))
    exif = struct.pack(">I", 0) + b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
    overlay = struct.pack(">2B4H2H2h2h", 0, 0, 65535, 0, 0, 65535, width + 5, height + 5, 0, 0, 7, -3)
    return {
        "turned": heif(brand, [coded(one, box("irot", b"\1"), box("imir", b"\1"))]),
        "cropped": heif(brand, [coded(one, crop, colors)]),
        "inside": heif(brand, [coded(one, profile)], inside=True),
        "exif": heif(brand, [coded(one), Item("Exif", exif, refers=[("cdsc", [1])])]),
        "three": heif(brand, [coded(one), coded(gray), coded(one)], primary=2),
        "thumbnail": heif(brand, [coded(one), coded(gray, refers=[("thmb", [1])])]),
        "alpha": heif(brand, [coded(one), coded(gray, alpha, refers=[("auxl", [1])], hidden=True)]),
        "grid": heif(brand, [coded(one, hidden=True), coded(one, hidden=True),
                             grid(2, 1, box("irot", b"\3"), refers=[("dimg", [1, 2])])], primary=3),
        "overlay": heif(brand, [coded(one), coded(one), Item("iovl", overlay, [size_property(width + 5, height + 5)],
                                                             [("dimg", [1, 2])])], primary=3),
        "same": heif(brand, [coded(one), Item("iden", b"", [size_property(width, height), box("irot", b"\2")],
                                              [("dimg", [1])])], primary=2),
        "size": heif(brand, [coded(one, size=(width - 2, height + 2))]),
    }


def heif_files():
    files = {}
    for name in CODED:
        brand = "heic" if name.startswith("hevc") else "avif"
        files[name + "." + brand] = heif(brand, [coded(name)])
    for brand, one in (("heic", "hevc-420"), ("avif", "av1-420")):
        for name, data in files_of(brand, one).items():
            files[name + "." + brand] = data
    return files


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = os.path.join(sys.argv[1], "picture")
    os.makedirs(folder, exist_ok=True)
    for name, data in heif_files().items():
        # The last byte is for the fuzzer: it asks for grey or colour.
        for kind, last in (("gray", b"\0"), ("color", b"\1")):
            with open(os.path.join(folder, kind + "-" + name), "wb") as file:
                file.write(data + last)


if __name__ == "__main__":
    main()
