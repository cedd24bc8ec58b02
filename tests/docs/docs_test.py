#!/usr/bin/env python3
"""docs_test.py COMPILER: whoever checks the documents is shown planted falsehoods, one of each kind."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

import check_docs
import run_blocks

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COMPILER = sys.argv[1]


def fenced(language, text, mark=""):
    return (f"<!-- {mark} -->\n" if mark else "") + f"```{language}\n{text}\n```\n"


def judged(document, program=None, options=(), becomes=None):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "PLANTED.md"
        path.write_text(document)
        arguments = [*options, "--source", str(SOURCE), "--compiler", COMPILER, str(path)]
        if program:
            fake = pathlib.Path(folder) / "fake"
            fake.write_text(program)
            fake.chmod(0o755)
            arguments[:0] = ["--program", str(fake)]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = run_blocks.main(arguments)
        if becomes is not None and path.read_text() != becomes:
            return 1, f"the document became:\n{path.read_text()}"
        return status, said.getvalue()


class Blocks(unittest.TestCase):
    def true(self, document, **more):
        status, said = judged(document, **more)
        self.assertEqual(status, 0, said)
        return said

    def false(self, document, *words, **more):
        status, said = judged(document, **more)
        self.assertEqual(status, 1, said)
        for word in words:
            self.assertIn(word, said)

    def test_a_true_document_passes_and_its_blocks_are_counted(self):
        said = self.true("Words.\n" + fenced("sh", "echo hello", "run") + "\n" + fenced("text", "hello") + fenced("sh", "rm -rf /", "not run: an example"))
        self.assertIn("2 blocks run, 1 excused", said)

    def test_a_block_without_a_mark_fails(self):
        for language in ("sh", "bash", "cpp", "json", "toml", "python", "sql"):
            self.false(fenced(language, "x"), "PLANTED.md:1:", f"a {language} block is neither run nor excused")

    def test_a_mark_must_stand_right_before_its_block(self):
        self.false("<!-- run -->\nWords.\n" + fenced("sh", "true"), "neither run nor excused")

    def test_an_excuse_without_a_reason_fails(self):
        self.false(fenced("sh", "x", "not run:"), "neither run nor excused")

    def test_a_mark_that_nobody_knows_fails(self):
        self.false(fenced("sh", "x", "rnu"), 'marked "rnu"')
        self.false(fenced("text", "x", "outptu"), 'marked "outptu"')

    def test_a_block_without_a_language_fails(self):
        self.false(fenced("", "x"), "must name its language")

    def test_a_block_that_is_never_closed_fails(self):
        self.false("```sh\ntrue\n", "never closed")

    def test_a_command_that_fails_is_found_also_in_the_middle(self):
        self.false(fenced("sh", "false\necho on", "run"), "exits with 1, but 0 is expected")
        self.false(fenced("sh", "false | cat", "run"), "exits with 1")

    def test_an_exit_status_may_be_expected_and_must_then_come(self):
        self.true(fenced("sh", "exit 3", "run, exit 3"))
        self.false(fenced("sh", "exit 1", "run, exit 3"), "exits with 1, but 3 is expected")
        self.false(fenced("sh", "true", "run, exit 3"), "exits with 0, but 3 is expected")

    def test_an_output_that_is_not_printed_is_found(self):
        self.false(fenced("sh", "echo 12", "run") + fenced("text", "13"), "shows what is not printed", "-- printed:\n12")
        self.false(fenced("sh", "echo 12; echo 13", "run") + fenced("text", "12"), "shows what is not printed")
        self.false(fenced("sh", "echo 12", "run") + "Prints\n" + fenced("text", "13", "output"), "shows what is not printed")

    def test_dots_stand_for_anything_but_not_for_everything(self):
        self.true(fenced("sh", "echo count 12.25 of 30", "run") + fenced("text", "count ... of 30"))
        self.false(fenced("sh", "echo count 12.25 of 31", "run") + fenced("text", "count ... of 30"))
        self.true(fenced("sh", "seq 9", "run") + fenced("text", "1\n...\n9"))
        self.false(fenced("sh", "seq 9", "run") + fenced("text", "1\n...\n8"))
        self.false(fenced("sh", "printf 'a\\nb\\n'", "run") + fenced("text", "a...b"))

    def test_noise_may_vary_where_it_is_said_and_nothing_else(self):
        table = "smoking   yes\n---------------\nnever     812 [805, 820]\nCharged: rho 0.125."
        printed = fenced("sh", "printf 'smoking        yes\\n------------\\nnever     -9 [0, 4]\\nCharged: rho 0.125.\\n'", "run")
        self.true(printed + fenced("text", table, "output, noise varies"))
        self.false(printed + fenced("text", table, "output"), "shows what is not printed")
        self.false(printed + fenced("text", table.replace("0.125", "0.25"), "output, noise varies"), "shows what is not printed")
        self.false(printed + fenced("text", table.replace("never", "always"), "output, noise varies"), "shows what is not printed")

    def test_numbers_may_vary_where_it_is_said_and_words_may_not(self):
        shown = "Rejected: 1,234.5 of 2e-05.\n  x   mean\n----------\n  ldl  -3.1\nCharged: rho 0.1."
        printed = fenced("sh", "printf 'Rejected: -7 of 0.25.\\n  x      mean\\n-------------\\n  ldl  1203.15\\nCharged: rho 0.1.\\n'", "run")
        self.true(printed + fenced("text", shown, "output, numbers vary"))
        self.false(printed + fenced("text", shown, "output, noise varies"), "shows what is not printed")
        for true, planted in (("Rejected", "Retained"), ("ldl", "hdl"), ("-3.1", "none"), ("of 2e-05", "of"), ("rho 0.1", "rho 0.2"), (".\n", ".\nMore.\n")):
            self.false(printed + fenced("text", shown.replace(true, planted, 1), "output, numbers vary"), "shows what is not printed")

    def test_what_is_printed_can_be_accepted_and_what_agrees_stays(self):
        run = "Words.\n" + fenced("sh", "printf 'Law: normal\\na 1.25\\nb 2\\nc 3\\nThis was free.\\n'", "run")
        end = "More words.\n"
        for shown, then in (("Distribution: normal\n...\nc ...\nThis costs nothing.", "Law: normal\n...\nc ...\nThis was free."),
                            ("Law: normal\na ...\nb 2\nThis was free.", "Law: normal\na ...\nb 2\nc 3\nThis was free."),
                            ("Law: normal\na 1.25\nb 2\nbb 2\nc 3\nThis was free.", "Law: normal\na 1.25\nb 2\nc 3\nThis was free.")):
            self.false(run + fenced("text", shown) + end, "shows what is not printed")
            self.true(run + fenced("text", shown) + end, options=["--accept"], becomes=run + fenced("text", then) + end)
        self.true(run + fenced("text", "...\nThis ... free.") + end, options=["--accept"], becomes=run + fenced("text", "...\nThis ... free.") + end)
        self.false(fenced("sh", "exit 1", "run"), "exits with 1", options=["--accept"])

    def test_the_build_can_be_installed(self):
        self.true(fenced("sh", 'basename "$TACET_BUILD"', "run") + fenced("text", "some"), options=["--build", "/some"])

    def test_patterns_are_not_regular_expressions(self):
        self.false(fenced("sh", "echo abc", "run") + fenced("text", "a.c"))

    def test_output_goes_with_the_block_right_before_it_only(self):
        self.true(fenced("sh", "echo 1", "run") + fenced("text", "1") + fenced("text", "a drawing"))
        self.true(fenced("sh", "echo 1", "run") + "Words.\n" + fenced("text", "a drawing"))
        self.false(fenced("text", "1", "output"), "no block before it is run")

    def test_files_and_results_stay_for_later_blocks(self):
        self.true(fenced("toml", "a = 1", "file: some/x.toml") + fenced("sh", "cat some/x.toml >y", "run") + fenced("sh", "cat y", "run") + fenced("text", "a = 1"))
        self.false(fenced("toml", "a = 1", "file: ../x.toml"), "outside its folder")

    def test_the_program_is_on_the_path_and_where_make_build_leaves_it(self):
        program = "#!/bin/sh\necho program $1\n"
        self.true(fenced("sh", "tacet a; build/tacet b", "run") + fenced("text", "program a\nprogram b"), program=program)

    def test_another_command_may_run_for_the_one_shown(self):
        self.true(fenced("sh", "make demo", "run as: echo shown") + fenced("text", "shown"))
        self.false(fenced("sh", "make demo", "run as: exit 2"), "exits with 2")

    def test_cpp_that_does_not_compile_is_found(self):
        self.true(fenced("cpp", "const int x = 1;\n(void)x;", "compile"))
        self.true(fenced("cpp", '#include "tacet/base/decimal.h"\nTACET_TRY(tacet::Decimal d, tacet::Decimal::parse("1"));\n(void)d;', "compile"))
        self.true(fenced("cpp", "int twice(int x) { return 2 * x; }", "compile, file"))
        self.false(fenced("cpp", "const int x = nothing;", "compile"), "does not compile", "nothing")
        self.false(fenced("cpp", '#include "tacet/base/no_such.h"', "compile, file"), "does not compile")

    def test_indented_and_long_fences_are_blocks_too(self):
        self.false("1. Do\n\n   ```sh\n   false\n   ```\n", "neither run nor excused")
        self.true("````text\n```sh\nfalse\n```\n````\n")


class Links(unittest.TestCase):
    def findings(self, text, **others):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {"PLANTED.md": text, **others}.items():
                (pathlib.Path(folder) / name).write_text(content)
            return list(check_docs.links([pathlib.Path(folder) / "PLANTED.md"]))

    def test_links_that_resolve_pass(self):
        other = {"OTHER.md": "# The `first` part\n\n## Twice\n\n## Twice\n"}
        text = "# Here\n[a](OTHER.md) [b](OTHER.md#the-first-part) ![c](OTHER.md#twice-1) [d](#here) [e](https://example.org/x) [f]: no\n`[g](nowhere)`\n"
        self.assertEqual(self.findings(text, **other), [])

    def test_links_to_nothing_are_found_with_their_line(self):
        for link in ("[a](NOWHERE.md)", "[a](OTHER.md#nowhere)", "[a](#nowhere)", "![a](x.png)", "[a]: NOWHERE.md", "[a](/etc)"):
            found = self.findings("\n\n" + link + "\n", **{"OTHER.md": "# Head\n"})
            self.assertEqual(len(found), 1, link)
            self.assertIn("PLANTED.md:3: links to", found[0])


class Orphans(unittest.TestCase):
    def findings(self, **documents):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{name}.md" for name in documents]
            for path, text in zip(paths, documents.values()):
                path.write_text(text)
            return [finding.partition(":")[0].rpartition("/")[2] for finding in check_docs.orphans(paths)]

    def test_a_document_that_another_links_to_passes(self):
        self.assertEqual(self.findings(README="[a](a.md)", a="[b](b.md#head)", b="# Head\n"), [])

    def test_a_document_that_only_code_or_itself_names_is_found(self):
        self.assertEqual(self.findings(README="`[a](a.md)`", a="[me](a.md) [here](#a)"), ["a.md"])


class Mentions(unittest.TestCase):
    def findings(self, line):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in (("docs/kind/PAGE.md", "# Timing\n"), ("src/room/a.h", "//\n" + line + "\n")):
                (root / name).parent.mkdir(parents=True)
                (root / name).write_text(text)
            return list(check_docs.mentions(root, "src"))

    def test_pages_that_exist_pass(self):
        self.assertEqual(self.findings("// see docs/kind/PAGE.md and (docs/kind/PAGE.md#timing)."), [])

    def test_pages_that_do_not_exist_are_found_with_their_line(self):
        self.assertEqual(self.findings("// see docs/PAGE.md."), ["src/room/a.h:2: names docs/PAGE.md, which does not exist"])
        self.assertEqual(self.findings("// docs/kind/PAGE.md#tide"), ["src/room/a.h:2: names docs/kind/PAGE.md#tide, but PAGE.md has no such heading"])


class Decisions(unittest.TestCase):
    PAGE = "# A\n\n**Decision.** a\n\n**Why.** b\n\n**Rejected.** c\n\n**Where.** d\n"

    def findings(self, page, architecture="[a](decisions/a.md)\n"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "decisions").mkdir()
            (root / "decisions/a.md").write_text(page)
            (root / "ARCHITECTURE.md").write_text(architecture)
            return "\n".join(check_docs.decisions(root / "ARCHITECTURE.md", root / "decisions"))

    def test_a_decision_with_its_parts_passes(self):
        self.assertEqual(self.findings(self.PAGE), "")

    def test_a_part_that_is_missing_empty_or_elsewhere_is_found(self):
        for page in (self.PAGE.replace("**Why.** b\n\n", ""), self.PAGE.replace("**Rejected.** c", "**Rejected.**"),
                     self.PAGE.replace("Where", "x").replace("Why", "Where").replace("x", "Why")):
            self.assertIn("must have these paragraphs in this order", self.findings(page))

    def test_a_decision_that_nobody_links_to_is_found(self):
        self.assertIn("ARCHITECTURE.md does not link to it", self.findings(self.PAGE, "`[a](decisions/a.md)`\n"))


class Errors(unittest.TestCase):
    HEADER = "enum class Code : std::uint8_t {\n  Lost,  // a thing, or two\n  Found,\n};\n"
    SECTION = "## {}\n\n**Meaning.** a\n\n**Spent.** b\n\n**What to do.** c\n\n"

    def findings(self, page, header=HEADER):
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for name, text in (("error.h", header), ("errors.md", page)):
                names.append(pathlib.Path(folder) / name)
                names[-1].write_text(text)
            return "\n".join(check_docs.errors(*names))

    def test_a_section_per_code_passes(self):
        self.assertEqual(self.findings("# Errors\n" + self.SECTION.format("Lost") + self.SECTION.format("Found")), "")

    def test_a_code_without_a_section_is_found(self):
        self.assertIn('has no section "## Found"', self.findings(self.SECTION.format("Lost")))

    def test_a_section_without_a_part_is_found(self):
        page = self.SECTION.format("Lost") + self.SECTION.format("Found").replace("**Spent.** b", "")
        self.assertIn("the section Found has no paragraph", self.findings(page))

    def test_a_section_of_no_code_is_found(self):
        page = self.SECTION.format("Lost") + self.SECTION.format("Found") + self.SECTION.format("Stolen")
        self.assertIn("a section Stolen, which is no code", self.findings(page))

    def test_a_header_without_codes_is_found(self):
        self.assertIn("no enum class Code", self.findings("", header="int x;"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
