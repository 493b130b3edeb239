import ast
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
import spacy
from spacy.language import Language

import spacy_pii

HEAVY = ("torch", "transformers", "sentence_transformers", "spacy_llm", "presidio_analyzer", "presidio_anonymizer")
ENTRY_POINTS = [item for item in distribution("spacy-pii").entry_points if item.group.startswith("spacy_")]
FACTORIES = [item for item in ENTRY_POINTS if item.group == "spacy_factories"]
OTHERS = [item for item in ENTRY_POINTS if item.group != "spacy_factories"]

# Thinc takes torch where it is installed: what is watched is what the package's own modules try to import.
WATCH = """
import importlib, sys
import spacy.cli
heavy, modules = sys.argv[1].split(","), sys.argv[2].split(",")
tried = []
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in heavy:
            tried.append(name)
            raise ImportError(name)
for name in list(sys.modules):
    if name.partition(".")[0] in heavy:
        del sys.modules[name]
sys.meta_path.insert(0, Watch())
for module in modules:
    importlib.import_module(module)
print(",".join(tried))
"""


def call_python(code, *arguments):
    result = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def get_name(item):
    return item.name


def read_decorators():
    """What the source registers by decorators, as pairs of group and name."""
    found = set()
    for path in Path(spacy_pii.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            for call in getattr(node, "decorator_list", ()):
                if not isinstance(call, ast.Call):
                    continue
                owner, _, group = ast.unparse(call.func).rpartition(".")
                if owner == "registry":
                    found.add((f"spacy_{group}", call.args[0].value))
                elif (owner, group) == ("Language", "factory"):
                    found.add(("spacy_factories", call.args[0].value))
    return found


def test_what_decorators_register_is_among_the_entry_points_and_nothing_else_is():
    listed = {(item.group, item.name) for item in ENTRY_POINTS if item.group != "spacy_cli"}
    assert listed == read_decorators()


@pytest.mark.parametrize("entry_point", OTHERS, ids=get_name)
def test_the_registry_finds_what_an_entry_point_names(entry_point):
    registry = getattr(spacy.registry, entry_point.group.removeprefix("spacy_"))
    found = registry.get(entry_point.name)
    assert found is entry_point.load()
    # Registered by the decorator as well, it is one and the same.
    assert registry.get_all()[entry_point.name] is found


@pytest.mark.parametrize("entry_point", FACTORIES, ids=get_name)
def test_a_pipeline_finds_the_factory_that_an_entry_point_names(entry_point):
    nlp = spacy.blank("en")
    assert nlp.get_factory_meta(entry_point.name).factory == entry_point.name
    nlp.add_pipe(entry_point.name)
    assert nlp.pipe_names == [entry_point.name]
    assert Language.has_factory(entry_point.name)


def test_a_config_finds_the_architectures_in_a_process_that_imported_nothing():
    code = """
import spacy, sys
assert not any(name.startswith("spacy_pii") for name in sys.modules)
block = {"@architectures": "spacy-pii.PiiEmbed.v1", "width": 8}
print(spacy.registry.resolve({"model": block})["model"].name)
"""
    assert call_python(code) == "pii_embed"


def test_no_module_of_an_entry_point_imports_what_is_heavy():
    modules = sorted({item.module for item in ENTRY_POINTS})
    assert call_python(WATCH, ",".join(HEAVY), ",".join(modules)) == ""


def test_the_package_itself_imports_nothing_heavy():
    code = "import sys, spacy_pii; print(','.join(sorted({name.partition('.')[0] for name in sys.modules})))"
    loaded = call_python(code).split(",")
    assert "spacy_pii" in loaded
    assert not {*HEAVY, "spacy", "thinc", "numpy", "faker", "phonenumbers"}.intersection(loaded)
