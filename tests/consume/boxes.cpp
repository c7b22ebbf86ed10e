// boxes CASCADE PICTURE: prints the objects that the cascade finds in the picture.
#include <winnow/winnow.h>

#include <cstdio>

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  winnow::Detector detector(winnow::Cascade::load(argv[1]));
  const winnow::Picture picture = winnow::read_picture(argv[2]);
  for (const winnow::Detection& found : detector.detect(picture.gray.view()).objects)
    std::printf("%d %d %d %d\n", found.box.x, found.box.y, found.box.width, found.box.height);
  return 0;
} catch (const winnow::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
