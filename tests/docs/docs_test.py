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


def judged(document, program=None):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "PLANTED.md"
        path.write_text(document)
        arguments = ["--source", str(SOURCE), "--compiler", COMPILER, str(path)]
        if program:
            fake = pathlib.Path(folder) / "fake"
            fake.write_text(program)
            fake.chmod(0o755)
            arguments[:0] = ["--program", str(fake)]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = run_blocks.main(arguments)
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
