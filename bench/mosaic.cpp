// winnow_mosaic: joins many pictures to one large picture, which several devices search together in a bench.
// The pictures lie in rows, and repeat until the large picture is full. Each cell has the first picture's
// size.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using namespace winnow;
  std::string out;
  std::vector<std::string> names;
  int width = 16384, height = 16384;
  CLI::App app("Makes one large picture of many.");
  app.add_option("--width", width, "of the picture (16384)")->check(CLI::Range(1, 32768));
  app.add_option("--height", height, "of the picture (16384)")->check(CLI::Range(1, 32768));
  app.add_option("--out", out, ".pgm, .png or .jpg")->required();
  app.add_option("IMAGE", names, "pictures of one size")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    std::vector<GrayImage> pictures;
    for (const std::string& name : names) {
      pictures.push_back(read_picture(name).gray);
      if (pictures.back().size() != pictures.front().size())
        throw std::runtime_error(name + " is not as large as " + names.front());
    }
    const int across = pictures.front().width(), down = pictures.front().height();
    const int columns = (width + across - 1) / across;
    // Neighbours in the list of pictures resemble each other, so every 7th picture is taken. If 7 divides the
    // number of pictures, steps of 7 would miss some pictures.
    const std::size_t count = pictures.size(), step = count % 7 == 0 ? 1 : 7;
    GrayImage mosaic(width, height);
    for (int y = 0; y < height; ++y) {
      for (int column = 0; column < columns; ++column) {
        const std::size_t place = static_cast<std::size_t>(y / down) * static_cast<std::size_t>(columns) +
                                  static_cast<std::size_t>(column);
        const int left = column * across;
        std::copy_n(pictures[place * step % count].row(y % down), std::min(across, width - left),
                    mosaic.row(y) + left);
      }
    }
    write_picture(out, mosaic.view());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_mosaic: %s\n", error.what());
    return 1;
  }
}
