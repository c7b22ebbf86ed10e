// Tests which files of HOG SVMs are refused, and the words of the errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/hog_samples_for_test.h"

namespace winnow {
namespace {

using sample::kHogJson;
using sample::kHogXml;
using sample::kHogYaml;
using sample::refused_hog;
using sample::replaced;

void expect_refused(const std::string& text, const std::string& place, const std::string& sentence,
                    ErrorCode code = ErrorCode::kFormat) {
  const Error error = refused_hog(text);
  EXPECT_EQ(error.place(), place) << error.what();
  EXPECT_EQ(error.sentence(), sentence);
  EXPECT_EQ(error.code(), code) << error.what();
  EXPECT_EQ(error.file(), "sample");
}

struct Case {
  std::string from, to, place, sentence;
  ErrorCode code = ErrorCode::kFormat;
};

TEST(HogRefused, XmlNamesTheLine) {
  const std::string detector = "<SVMDetector>\n    1. 2. 3. 4. 5. 6. 7. 8. -9.5</SVMDetector>";
  for (const Case& each : {
           Case{"<opencv_storage>", "<storage>", "line 22, byte 568", "broken XML: Start-end tags mismatch"},
           Case{"<people type_id=\"opencv-object-detector-hog\">", "<opencv_ml_svm>", "line 21, byte 535",
                "broken XML: Start-end tags mismatch"},
           Case{"-hog\">", "-dog\">", "line 3", "'people' is no HOGDescriptor"},
           Case{"  <blockSize>\n    16 16</blockSize>\n", "", "line 3", "<blockSize> is missing in 'people'"},
           Case{"  <gammaCorrection>1</gammaCorrection>\n", "", "line 3",
                "<gammaCorrection> is missing in 'people'"},
           Case{"  <L2HysThreshold>0.20000000000000001</L2HysThreshold>\n", "", "line 3",
                "<L2HysThreshold> is missing in 'people'"},
           Case{"<nbins>2", "<nbins>2 3", "line 12, byte 234", "'3' is one number too many in <nbins>"},
           Case{"<nbins>2", "<nbins>2.5", "line 12, byte 232", "'2.5' is not an integer"},
           Case{"<nbins>2", "<nbins><a>2</a>", "line 12", "'a' where numbers are expected"},
           Case{"<nbins>2", "<nlevels>3</nlevels><nbins>2", "line 18",
                "a second <nlevels> in the same element"},
           Case{"<histogramNormType>0", "<histogramNormType>1", "line 15",
                "blocks are normalised in way 1, only 0 (L2Hys) is known", ErrorCode::kUnsupported},
           Case{detector, "", "line 3",
                "there is no <SVMDetector>, so that nothing can be found with this file; call setSVMDetector "
                "before save"},
           Case{"7. 8. -9.5", "", "line 20", "<SVMDetector> must have 8 or 9 numbers"},
           Case{"-9.5", "-9.5 10. 11.", "line 20", "<SVMDetector> must have 8 or 9 numbers"},
           Case{"7. 8.", "x 8.", "line 21, byte 539", "'x' is not a number"},
           Case{"7. 8.", "1e39 8.", "line 21, byte 539", "'1e39' is beyond the range of a float"},
           Case{"7. 8.", ".Nan 8.", "line 21, byte 539", "'.Nan' is not a number"},
           Case{"7. 8.", "1e9 8.", "weight 6", "a weight must be a number from -1024 to 1024"},
       }) {
    expect_refused(replaced(kHogXml, each.from, each.to), each.place, each.sentence, each.code);
  }
}

TEST(HogRefused, YamlNamesTheLine) {
  for (const Case& each : {
           Case{"!!opencv-object-detector-hog", "!!opencv-object-detector-dog # opencv-object-detector-hog",
                "line 3", "'people' is no HOGDescriptor"},
           Case{"people:", "- people:", "line 3", "the file is no map of names, as OpenCV's files are"},
           Case{"people:", "[ a ]:", "line 3", "a name is expected where OpenCV's HOGDescriptor begins"},
           Case{"people:", "a: b\npeople:", "line 3", "'a' is no HOGDescriptor"},
           Case{"people:", "opencv_ml_svm: { format: 3 }\npeople:", "line 3",
                "'opencv_ml_svm' is an SVM of cv::ml, which does not say how windows are described; give it "
                "to setSVMDetector of a HOGDescriptor, and save that"},
           Case{"   blockSize: [ 16, 16 ]\n", "", "line 3", "blockSize is missing"},
           Case{"   gammaCorrection: 1\n", "", "line 3", "gammaCorrection is missing"},
           Case{"   L2HysThreshold: 0.20000000000000001\n", "", "line 3", "L2HysThreshold is missing"},
           Case{"blockSize: [ 16, 16 ]", "blockSize: [ 16 ]", "line 5",
                "blockSize must be a list of 2 numbers"},
           Case{"blockSize: [ 16, 16 ]", "blockSize: 16", "line 5", "blockSize must be a list of 2 numbers"},
           Case{"blockSize: [ 16, 16 ]", "blockSize: [ 16, [ 16 ] ]", "line 5",
                "a list or map where a number of blockSize is expected"},
           Case{"blockSize: [ 16, 16 ]", "blockSize: { a: 16 }", "line 5",
                "blockSize must be a number or a list of numbers"},
           Case{"nbins: 2", "nbins: [ 2 ]", "line 8", "nbins must be one number, not a list"},
           Case{"nbins: 2", "nbins: 2.5", "line 8", "'2.5' is not an integer"},
           Case{"nbins: 2", "nbins:", "line 8", "'' is not a number"},
           Case{"nbins: 2", "nbins: 2\n   nbins: 2", "line 9", "a second nbins"},
           Case{"nbins: 2", "nbins: *a", "line 8", "an alias '*a', which OpenCV's files do not have"},
           Case{"nbins: 2", "nbins: 2\n nlevels: 3", "line 9", "broken YAML: did not find expected key"},
           Case{"winSigma: 4.", "winSigma: [ 4. ]", "line 10", "winSigma must be one number, not a list"},
           Case{"winSigma: 4.", "winSigma: .Inf", "line 10", "'.Inf' is not a number"},
           Case{"histogramNormType: 0", "histogramNormType: 1", "line 11",
                "blocks are normalised in way 1, only 0 (L2Hys) is known", ErrorCode::kUnsupported},
           Case{"   SVMDetector: [ 1., 2., 3., 4., 5.,\n       6., 7., 8., -9.5 ]\n", "", "line 3",
                "there is no SVMDetector, so that nothing can be found with this file; call setSVMDetector "
                "before save"},
           Case{"7., 8., ", "", "line 16", "SVMDetector must have 8 or 9 numbers"},
           Case{"-9.5", "-9.5, 10., 11.", "line 16", "SVMDetector must have 8 or 9 numbers"},
           Case{"7., 8.", "x, 8.", "line 17", "'x' is not a number"},
           Case{"7., 8.", "1e39, 8.", "line 17", "'1e39' is beyond the range of a float"},
           Case{"7., 8.", "7., 8\x01.", "line 17", "broken YAML: control characters are not allowed"},
           Case{"-9.5 ]", "-9.5", "line 18", "broken YAML: did not find expected ',' or ']'"},
       }) {
    expect_refused(replaced(kHogYaml, each.from, each.to), each.place, each.sentence, each.code);
  }
  expect_refused(replaced(kHogJson, "\"nbins\": 2", "\"nbins\": \"two\""), "line 8", "'two' is not a number");
  expect_refused(kHogJson.substr(0, kHogJson.size() - 3), "line 19",
                 "broken YAML: did not find expected ',' or '}'");
}

TEST(HogRefused, YamlCannotGrow) {
  const std::string deep(100, '[');
  expect_refused(replaced(kHogYaml, "nbins: 2", "other: " + deep), "line 8",
                 "lists and maps are nested more than 32 deep", ErrorCode::kLimit);
  std::string many;
  for (int i = 0; i < (1 << 20) + 2; ++i) many += "1,\n";
  expect_refused(replaced(kHogYaml, "nbins: 2", "nbins: [" + many + "]"), "line 1048585",
                 "nbins has more than 1048576 numbers", ErrorCode::kLimit);
  expect_refused(kHogYaml + std::string((std::size_t{64} << 20) + 1, '\n'), "",
                 "a YAML file may have 67108864 bytes at most", ErrorCode::kLimit);
}

TEST(HogRefused, ShapesMustMakeSense) {
  for (const Case& each : {
           Case{"winSize: [ 16, 16 ]", "winSize: [ 0, 16 ]", "",
                "sizes of window, block, stride and cell must be 1 or more"},
           Case{"winSize: [ 16, 16 ]", "winSize: [ 99999, 16 ]", "",
                "the window is 99999x16, at most 4096 a side are taken", ErrorCode::kLimit},
           Case{"winSize: [ 16, 16 ]", "winSize: [ 8, 8 ]", "",
                "a block of 16x16 does not fit the window of 8x8"},
           Case{"winSize: [ 16, 16 ]", "winSize: [ 20, 16 ]", "",
                "blocks of 16x16 at a stride of 8x8 do not fill the window of 20x16"},
           Case{"cellSize: [ 8, 8 ]", "cellSize: [ 7, 8 ]", "",
                "a block of 16x16 is not made of whole cells of 7x8"},
           Case{"nbins: 2", "nbins: 0", "", "there are 0 bins, 1 to 512 are taken", ErrorCode::kLimit},
           Case{"nbins: 2", "nbins: 513", "", "there are 513 bins, 1 to 512 are taken", ErrorCode::kLimit},
           Case{"L2HysThreshold: 0.20000000000000001", "L2HysThreshold: 0", "",
                "the clip value must be above 0"},
       }) {
    expect_refused(replaced(kHogYaml, each.from, each.to), each.place, each.sentence, each.code);
  }
}

TEST(HogRefused, NumbersMustHaveAKnownCount) {
  const auto sentence = [](int count) {
    return "there are " + std::to_string(count) +
           " numbers without a shape; known counts are 3780 or 3781 (window 64x128); 1980 or 1981 (window "
           "48x96); for other shapes, save OpenCV's HOGDescriptor as XML or YAML";
  };
  expect_refused("0.5", "", sentence(1));
  expect_refused("1, 2, 3", "", sentence(3));
  std::string numbers;
  for (int i = 0; i < 3782; ++i) numbers += "0.25\n";
  expect_refused(numbers, "", sentence(3782));
  expect_refused(numbers.substr(0, 5 * 3779), "", sentence(3779));
  expect_refused(numbers.substr(0, 5 * 3780) + "x\n", "line 3781", "'x' is not a number");
  expect_refused(numbers.substr(0, 5 * 3780) + "1e999\n", "line 3781",
                 "'1e999' is beyond the range of a double");
  expect_refused("1 2\n+-3", "line 2", "'+-3' is not a number");
  expect_refused("1 2\n3ff", "line 2", "'3ff' is not a number");
}

TEST(HogRefused, OtherFilesGetWordsThatHelp) {
  const std::string hog =
      "; a linear SVM over HOG is needed: OpenCV's HOGDescriptor in XML, YAML or JSON, its numbers as text, "
      "or a .winnow file";
  const std::string any =
      "; a model is needed: a .winnow file, OpenCV's XML of a cascade, OpenCV's HOGDescriptor in XML, YAML, "
      "JSON or as numbers, or dlib's shape_predictor";
  for (const auto& [text, words] : {
           std::pair{std::string(), "an empty file"},
           std::pair{std::string(" \n[]\n"), "JSON"},
           std::pair{std::string("%YAML:1.0\n---\na: 1\n"), "YAML"},
           std::pair{std::string("{\"a\": 1}"), "JSON"},
           std::pair{std::string("[ 1, 2, 3, \"x\" ]"), "JSON"},
           std::pair{std::string("P5\n1 1\n255\n0"), "a PNM picture"},
           std::pair{std::string("nothing at all"), "no kind of file that is known here"},
       }) {
    expect_refused(text, "", std::string("this is ") + words + hog);
    try {
      DetectorModel::parse(std::as_bytes(std::span(text)), "x");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.sentence(), std::string("this is ") + words + any);
    }
  }
  expect_refused(
      "<?xml version=\"1.0\"?>\n<opencv_storage>\n<opencv_ml_svm>\n<format>3</format></opencv_ml_svm>"
      "</opencv_storage>",
      "line 3",
      "'opencv_ml_svm' is an SVM of cv::ml, which does not say how windows are described; give it to "
      "setSVMDetector of a HOGDescriptor, and save that");
  expect_refused("<opencv_storage></opencv_storage>", "line 1", "<opencv_storage> is empty");
  expect_refused("<svg></svg>", "line 1", "the root element is <svg>, OpenCV's has <opencv_storage>");
}

}  // namespace
}  // namespace winnow
