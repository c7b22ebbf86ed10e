"""Checks pictures that lie on a device. Without a device the tests are skipped."""

import numpy as np
import pytest

import winnow

if not any(backend.name == "cuda" and backend.available for backend in winnow.backends()):
    pytest.skip("needs a device", allow_module_level=True)

torch = pytest.importorskip("torch")


@pytest.fixture
def batch(gray: np.ndarray) -> np.ndarray:
    return np.stack([np.roll(gray, 3 * i, axis=1) for i in range(32)])


def copied_bytes(profile: object) -> dict[str, int]:
    """The numbers of bytes copied to the host, to the device and on the device, by the profiler's events."""
    import json
    import tempfile

    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        profile.export_chrome_trace(file.name)
        events = json.load(open(file.name))["traceEvents"]
    copies = {"DtoH": 0, "HtoD": 0, "DtoD": 0}
    for event in events:
        if event.get("cat") == "gpu_memcpy":
            for kind in copies:
                if kind in event["name"]:
                    copies[kind] += int(event["args"]["bytes"])
    return copies


def test_a_batch_of_torch_stays_on_the_device(batch: np.ndarray) -> None:
    wanted = winnow.Detector("face", backend="cpu").detect(list(batch))
    detector = winnow.Detector("face", backend="cuda")
    there = torch.from_numpy(batch).cuda()
    for _ in range(3):
        detector.detect(list(there))  # makes plans and buffers
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        found = detector.detect(list(there))
    copies = copied_bytes(profile)
    print("copied", copies, "of pictures of", batch.nbytes)
    assert copies["HtoD"] == 0
    assert copies["DtoH"] < batch.nbytes / 20
    for a, b in zip(found, wanted, strict=True):
        assert np.array_equal(a.objects, b.objects)
        assert a.counters == b.counters


def test_work_on_another_stream_comes_first(batch: np.ndarray) -> None:
    wanted = winnow.Detector("face", backend="cpu").detect(list(batch))
    detector = winnow.Detector("face", backend="cuda")
    source = torch.from_numpy(batch).cuda()
    stream = torch.cuda.Stream()
    for _ in range(5):
        there = torch.zeros_like(source)
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(100_000_000)  # about 50 ms
            there.copy_(source)
            found = detector.detect(list(there))
        assert [len(one) for one in found] == [len(one) for one in wanted]
        assert np.array_equal(found[-1].objects, wanted[-1].objects)


def test_strides_devices_and_colour(batch: np.ndarray) -> None:
    detector = winnow.Detector("face", backend="cuda")
    cpu = winnow.Detector("face", backend="cpu")
    there = torch.from_numpy(batch).cuda()
    crop = there[3, 50:450, 20:500]
    assert np.array_equal(detector.detect(crop).objects, cpu.detect(batch[3, 50:450, 20:500]).objects)
    detector.enqueue(crop)
    assert np.array_equal(detector.collect().objects, cpu.detect(batch[3, 50:450, 20:500]).objects)
    with pytest.raises(winnow.Error, match="side by side"):
        detector.detect(there[0].T)
    with pytest.raises(winnow.Error, match="must be grey"):
        detector.detect(torch.zeros((40, 40, 3), dtype=torch.uint8, device="cuda"), channels="rgb")
    with pytest.raises(winnow.Error, match="all in host memory, or all on devices"):
        detector.detect([there[0], batch[0]])
    with pytest.raises(winnow.Error, match="float32"):
        detector.detect(there[0].float())
    with pytest.raises(winnow.Error):
        cpu.detect(there[0])


def test_cupy_and_the_cuda_array_interface(batch: np.ndarray) -> None:
    cupy = pytest.importorskip("cupy")
    detector = winnow.Detector("face", backend="cuda")
    wanted = winnow.Detector("face", backend="cpu").detect(batch[5]).objects
    there = cupy.asarray(batch[5])

    class Interface:
        def __init__(self, array: object) -> None:
            self.array = array
            self.__cuda_array_interface__ = array.__cuda_array_interface__

    cupy.cuda.Stream.null.synchronize()
    assert np.array_equal(detector.detect(there).objects, wanted)
    assert np.array_equal(detector.detect(Interface(there)).objects, wanted)
    assert len(detector.detect([cupy.asarray(one) for one in batch])) == len(batch)


def test_pinned_memory(batch: np.ndarray) -> None:
    detector = winnow.Detector("face", backend="cuda")
    pinned = winnow.PinnedMemory(batch)
    assert pinned.held
    wanted = winnow.Detector("face", backend="cpu").detect(list(batch))
    for a, b in zip(detector.detect(list(batch)), wanted, strict=True):
        assert np.array_equal(a.objects, b.objects)
