// Includes all public headers of Winnow.
#pragma once

#include <winnow/answer.h>
#include <winnow/backend.h>
#include <winnow/box.h>
#include <winnow/cascade.h>
#include <winnow/cascade_model.h>
#include <winnow/describe.h>
#include <winnow/detector.h>
#include <winnow/draw_model.h>
#include <winnow/error.h>
#include <winnow/eval.h>
#include <winnow/feed.h>
#include <winnow/hog.h>
#include <winnow/hog_cascade.h>
#include <winnow/image.h>
#include <winnow/inspect.h>
#include <winnow/model.h>
#include <winnow/pack.h>
#include <winnow/pinned.h>
#include <winnow/scan.h>
#include <winnow/train.h>
#include <winnow/train_hog.h>
#include <winnow/truth.h>
#include <winnow/version.h>
#include <winnow/video.h>
