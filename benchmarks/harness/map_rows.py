"""The rows about classifying: kernel rate, whole map, limit of the machine, memory."""

from . import libsvm, otb
from .context import Context
from .figures import Table, Target, in_turn, quotients
from .growth_rows import TOLERANCE, fitted_exponent
from .scenes import Scene, repeated


def kernel_rate(context: Context, scene: Scene) -> Table:
    table = Table("kernel-rate", "kernel evaluations per second, one thread, against svm-predict", scene.text)
    trained = context.trained(scene, "--support", "all")
    table.notes.append(f"parsimap's model: {trained.text}")

    def ours() -> float:
        _, record = context.parsimap.classify(scene.image, trained.model, "--threads", "1")
        return record["classified"] * trained.evaluations_per_pixel / record["stages"]["compute"]

    absent = libsvm.missing()
    if absent:
        table.add("parsimap classify, compute stage", "evaluations/s", in_turn(context.repeats, ours)[0])
        table.notes.append(f"{absent} is not installed (Debian package libsvm-tools): no comparison")
        return table
    peer = libsvm.KernelRate(scene, 4e6 if context.quick else 2e7)
    our_rates, peer_rates = in_turn(context.repeats, ours, peer.measure)
    table.add("parsimap classify, compute stage", "evaluations/s", our_rates)
    table.add("svm-predict", "evaluations/s", peer_rates)
    table.claim("parsimap / svm-predict", "x", quotients(our_rates, peer_rates), Target(100, at_least=True))
    table.notes.append(
        f"svm-predict: {peer.support_vectors} support vectors (C = {peer.C:g}, gamma = {peer.gamma:.3g}), "
        f"{peer.many - peer.few} pixels; starting and reading are taken out of both"
    )
    return table


def whole_map(context: Context, scene: Scene) -> Table:
    table = Table("whole-map", "classify the whole scene, all cores, against otbcli_ImageClassifier", scene.text)
    trained = context.trained(scene)
    table.notes.append(f"parsimap's model: {trained.text}")
    stages: list[dict[str, float]] = []

    def ours() -> float:
        run, record = context.parsimap.classify(scene.image, trained.model)
        stages.append({**record["stages"], "whole": run.seconds})
        return run.seconds

    absent = otb.missing()
    if absent:
        our_seconds = in_turn(context.repeats, ours)[0]
        table.notes.append(f"{absent} is not installed (Debian package otb-bin): no comparison")
    else:
        peer = otb.Classifier(scene, ram_mb=512)
        our_seconds, peer_seconds = in_turn(context.repeats, ours, lambda: peer.classify().seconds)
        table.add("otbcli_ImageClassifier", "s", peer_seconds)
        # Shows that the peer did the same work well.
        table.add("  test accuracy", "%", [100 * context.parsimap.map_accuracy(peer.map, scene)])
        table.claim("parsimap / OTB", "of its time", quotients(our_seconds, peer_seconds), Target(1 / 8, False))
        table.notes.append(f"OTB: LIBSVM RBF model with {peer.parameters}, --ram 512 as parsimap's default")
    table.add("parsimap classify, whole process", "s", our_seconds)
    table.add("  test accuracy", "%", [100 * context.parsimap.accuracy(scene, trained.model)])
    for stage in stages[0]:
        if stage != "whole":
            table.add(f"  stage {stage}", "s", [run[stage] for run in stages])
    return table


def map_read(context: Context, scene: Scene) -> Table:
    table = Table("map-read", "processor time of classify against reading the scene by GDAL alone", scene.text)
    trained = context.trained(scene)
    early = trained.record["early_stages"]
    table.notes.append(f"parsimap's model: {trained.text}; {trained.record['support_spectra']} support spectra")
    if early:
        sizes = " or ".join(str(size) for size in early["support_spectra"])
        table.notes.append(
            f"early stages: {sizes} of them decide {100 * early['decided'][-1]:.1f} % of {early['pixels']} pixels"
        )
    else:
        table.notes.append("no early stages")
    exact = context.parsimap.train(scene, "--support", "all")
    repeats = max(3, context.repeats)
    seconds = in_turn(
        repeats,
        lambda: context.parsimap.classify(scene.image, trained.model)[0].cpu_seconds,
        lambda: context.parsimap.classify(scene.image, exact.model)[0].cpu_seconds,
        lambda: context.parsimap.read_alone(scene.image).cpu_seconds,
    )
    names = ("parsimap classify, whole process", "the same, train --support all", "GDAL reads the scene, whole process")
    for name, values in zip(names, seconds):
        table.add(name, "s of processor time", values)
    for name, model in (("default", trained.model), ("--support all", exact.model)):
        table.add(f"  test accuracy, {name}", "%", [100 * context.parsimap.accuracy(scene, model)])
    differing = context.parsimap.differing_labels(scene, trained.model, exact.model)
    table.add("  labels that differ between the two", "%", [100 * differing])
    table.claim("classify / reading", "x", quotients(seconds[0], seconds[2]), Target(2, at_least=False))
    table.add("classify / reading, --support all", "x", quotients(seconds[1], seconds[2]))
    return table


def start_up(context: Context, scene: Scene) -> Table:
    table = Table("start-up", "processor time of short commands", scene.text)
    trained = context.trained(scene)
    repeats = 4 * max(3, context.repeats)
    figures = in_turn(
        repeats,
        lambda: 1000 * context.parsimap.version().cpu_seconds,
        lambda: 1000 * context.parsimap.info(scene.image).cpu_seconds,
        lambda: 1000 * context.parsimap.info(trained.model).cpu_seconds,
        lambda: 1000 * context.parsimap.read_alone().cpu_seconds,
    )
    names = ("parsimap --version", "parsimap info SCENE", "parsimap info MODEL", "a program with GDAL that does nothing")
    for name, values in zip(names, figures):
        table.add(name, "ms", values)
    table.claim("parsimap --version", "ms", figures[0], Target(15, at_least=False))
    table.add("  beyond that of GDAL's libraries", "ms", [a - b for a, b in zip(figures[0], figures[3])])
    return table


def compute_limit(context: Context, scene: Scene) -> Table:
    table = Table("compute-limit", "compute part of classify against sgemm and expf of the machine", scene.text)
    trained = context.trained(scene, "--support", "all")
    pixels = 10_000 if context.quick else 40_000

    def decision() -> dict:
        return context.parsimap.decision_rates(scene, trained.model, pixels, 1)

    def stage() -> float:
        _, record = context.parsimap.classify(scene.image, trained.model, "--threads", "1")
        return record["stages"]["compute"] / record["classified"]

    outcomes, stage_seconds = in_turn(max(3, context.repeats), decision, stage)
    runs = [outcome["runs"][0] for outcome in outcomes]
    table.add("sgemm", "GFLOP/s", [2e-9 * run["multiply_adds_per_second"] for run in runs])
    table.add("expf", "1/s", [run["exponentials_per_second"] for run in runs])
    limits = [(run["product_seconds"] + run["exponential_seconds"]) / outcomes[0]["pixels"] for run in runs]
    table.add("limit: products", "us/pixel", [1e6 * run["product_seconds"] / outcomes[0]["pixels"] for run in runs])
    table.add(
        "limit: exponentials", "us/pixel", [1e6 * run["exponential_seconds"] / outcomes[0]["pixels"] for run in runs]
    )
    evaluations = outcomes[0]["evaluations_per_pixel"]
    table.add("limit: both together", "evaluations/s", [evaluations / limit for limit in limits])
    table.add("Predictor::decision_values", "us/pixel", [1e6 * run["seconds"] / outcomes[0]["pixels"] for run in runs])
    table.add("Predictor::decision_values", "evaluations/s", [run["evaluations_per_second"] for run in runs])
    table.add("compute stage of classify", "us/pixel", [1e6 * seconds for seconds in stage_seconds])
    target = Target(0.7, at_least=True)
    table.claim("evaluate, of the limit", "fraction", [run["fraction_of_limit"] for run in runs], target)
    table.claim("compute stage, of the limit", "fraction", quotients(limits, stage_seconds), target)
    table.notes.append(
        f"one thread; {trained.text}; {outcomes[0]['support_spectra']} support spectra, "
        f"{outcomes[0]['multiply_adds_per_pixel']:.0f} multiply-adds per pixel"
    )
    return table


# Beyond --ram, as the issue allows.
ALLOWANCE_MB = 100


def memory(context: Context, scene: Scene) -> Table:
    table = Table("memory", "peak memory of classify against --ram, and its time against the size", scene.text)
    # Few support vectors: memory is in question here, and tens of gigabytes are to be computed on.
    trained = context.parsimap.train(scene, "--samples-per-class", "10", "--criterion", "radius-margin")
    file = scene.file
    scene_bytes = file.width * file.height * file.bands * 2
    sizes, seconds = [], []
    for gigabytes in context.gigabytes:
        times = max(1, round(gigabytes * 1e9 / scene_bytes))
        across = max(1, round((times * file.height / file.width) ** 0.5))
        down = -(-times // across)
        virtual = repeated(scene, across, down, scene.folder / f"repeated{gigabytes:g}.vrt")
        sizes.append(across * down * scene_bytes / 1e9)
        # The peak hardly varies, and large scenes take their time. That at 512 MB is reached with the first of them.
        for ram in (64, 512) if len(sizes) == 1 else (64,):
            run, record = context.parsimap.classify(virtual, trained.model, "--ram", str(ram))
            name = f"{sizes[-1]:.1f} GB, --ram {ram}"
            table.add(f"{name}: time", "s", [run.seconds])
            table.add(f"{name}: processor time", "s", [run.cpu_seconds])
            peak = max(run.peak_mb, record["peak_memory_mb"] or 0)
            table.claim(f"{name}: peak", "MB", [peak], Target(ram + ALLOWANCE_MB, at_least=False))
            if ram == 64:
                seconds.append(run.cpu_seconds)
    if len(sizes) > 1:
        exponent = fitted_exponent(sizes, seconds)
        table.claim("processor time, --ram 64", "exponent", [exponent], Target(1 + TOLERANCE, at_least=False))
    table.notes.append(
        f"virtual rasters, every pixel of which is the scene's; {trained.evaluations_per_pixel} kernel evaluations "
        "per pixel (10 training pixels per class) to keep the time short; one run each"
    )
    return table
