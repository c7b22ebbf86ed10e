// Gives one cascade in each of OpenCV's formats as text.
#pragma once

namespace winnow::sample {

// A cascade as opencv_traincascade writes it. Its numbers are spelled in many ways.
inline constexpr const char* kNewText = R"(<?xml version="1.0"?>
<!--
  A detector of nothing.
  Line two.
-->
<opencv_storage>
<cascade type_id="opencv-cascade-classifier"><stageType>BOOST</stageType>
  <featureType>HAAR</featureType>
  <height>20</height>
  <width>+24.</width>
  <stageParams>
    <maxWeakCount>2</maxWeakCount></stageParams>
  <featureParams>
    <maxCatCount>0</maxCatCount></featureParams>
  <stageNum>1</stageNum>
  <stages>
    <!-- stage 0 -->
    <_>
      <maxWeakCount>2</maxWeakCount>
      <stageThreshold>-1.4562760591506958e+00</stageThreshold>
      <weakClassifiers>
        <_>
          <internalNodes>
            0 -1 0 1.2963959574699402e-01</internalNodes>
          <leafValues>
            -7.7304208278656006e-01 <!-- between --> .5</leafValues></_>
        <_>
          <internalNodes>
            0 -1 1 -4.6326808631420135e-02</internalNodes>
          <leafValues>
            5 -4.9097689986228943e-01</leafValues></_></weakClassifiers></_></stages>
  <features>
    <_>
      <rects>
        <_>
          0 8 20 12 -1.</_>
        <_>
          0 14 20 6 2.</_></rects></_>
    <_>
      <rects>
        <_>
          9 1 4 15 -1</_>
        <_>
          9 6 4 5 3.</_></rects>
      <tilted>0</tilted></_></features></cascade>
</opencv_storage>
)";

// A tree and a stump as opencv_haartraining writes them.
inline constexpr const char* kOldText = R"(<?xml version="1.0"?>
<opencv_storage>
<!-- Automatically converted from somewhere -->
<thing type_id="opencv-haar-classifier">
  <size>
    64 16</size>
  <stages>
    <_>
      <!-- stage 0 -->
      <trees>
        <_>
          <!-- tree 0 -->
          <_>
            <!-- root node -->
            <feature>
              <rects>
                <_>
                  32 2 8 6 -1.</_>
                <_>
                  32 4 8 2 3.</_></rects>
              <tilted>0</tilted></feature>
            <threshold>1.6915600746870041e-002</threshold>
            <left_val>-9.5547717809677124e-001</left_val>
            <right_node>1</right_node></_>
          <_>
            <feature>
              <rects>
                <_>
                  10 2 4 2 -1.</_>
                <_>
                  10 2 2 2 2.</_>
                <_>
                  1 1 1 1 1e-8</_></rects>
              <tilted>1</tilted></feature>
            <threshold>.5</threshold>
            <left_val>2.5e-1</left_val>
            <right_val>8.9129137992858887e-001</right_val></_></_></trees>
      <stage_threshold>-2.0683259963989258e+000</stage_threshold>
      <parent>-1</parent>
      <next>-1</next></_></stages></thing>
</opencv_storage>
)";

}  // namespace winnow::sample
