// Asks npm's libraries which paths a pattern names, and prints globs.json.
//
//     npm install ignore@7.0.5 picomatch@2.3.2 && node make_globs.mjs > globs.json
//
// Patterns are put together at random from a fixed seed, so that each run prints the same.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";

const load = createRequire(pathToFileURL(path.join(process.env.GLOBS_MODULES ?? process.cwd(), "x.js")));
const ignore = load("ignore");
const picomatch = load("picomatch");

let seed = 20261125;
function below(limit) {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % limit;
}
const one = (list) => list[below(list.length)];
const many = (list, low, high) => Array.from({ length: low + below(high - low + 1) }, () => one(list));

const NAMES = ["a", "b", "ab", "A", "abc", ".a", "a.b", "b.md", "a b", "é", "[a]", "!a", "a1", "{a,b}", "a+", "#a"];
const PATHS = [
  ...NAMES,
  "a/b", "a/b.md", "b/a", "a/b/a", "a/.a/b", ".a/b", "ab/a", "A/b", "b/ab/a.b", "a/b/c/b.md", "c/a", "c/a/b", "[a]/b",
];

// --- ignore files ---------------------------------------------------------------------------------------------------

const SIGNS = [
  "a", "b", "ab", "A", ".a", "a.b", "*.md", "*", "**", "***", "a*", "*b", "a*b", "?", "a?", "[ab]", "[!a]", "[^a]", "[a-c]",
  "[]a]", "[[:alpha:]]", "[a", "a]", "[A-Z]", "[b-a]", "\\a", "\\*", "\\[a]", "\\!a", "\\d", "a\\ b", "{a,b}", "(a|b)", "+(a)", "a+",
  ".", "..", "é", "a b", "**a", "a**", "#a", "!a", "[.]a", "[a-]", "[\\]]", "[a]b", "[a][b]", "\\?", "a1", "a\\w", "[\\d]",
];
const ends = ["", "", "", "", "/", "/**", "/*", " ", "\\ "];
const line = () => one(["", "", "", "", "/", "**/", "!", "!/", "#", "./"]) + many(SIGNS, 1, 3).join("/") + one(ends);
const ignores = (lines) => {
  const read = ignore().add(lines);
  return PATHS.map((name) => read.ignores(name));
};

// --- picomatch ------------------------------------------------------------------------------------------------------

const PIECES = [
  "a", "b", "ab", "A", ".a", "*", "**", "a*", "*b", "?", "??", "[ab]", "[!a]", "[^a]", "[a-c]", "[]a]", "[[:alpha:]]", "[a", "a]",
  "{a,b}", "{a}", "{a,{b,ab}}", "{a..c}", "{1..3}", "{c..a}", "{,a}", "{a,b", "a}", "{}", "!(a)", "!(a|b)", "!(b.md)", "!(*.md)", "!(a).md",
  "+(a|b)", "+(a)b", "@(a|b)", "?(a)b", "*(a|b)", "*(a)", "@(a*|b).md", "!(a)b", "(a|b)", "a|b", "a+", "[a]+", "*.md", "*.*", ".*", "a.{md,b}",
  "*.{md,b}", "*.!(md)", "***", "a**", "**b", "é", "a b", "#a", "a1", "a[0-9]", "[[:digit:]]", "a[!0-9]", "b.@(md|b)", "$", "^a", "\"a\"",
];
const glob = () => one(["", "", "", "", "!", "!!"]) + one(["/w/", "/w/", "/w/", "**/", "/**/", "/w/**/", ""]) + many(PIECES, 1, 3).join("/") + one(["", "", "", "", "/", "/**", "/*"]);
const names = (pattern) => PATHS.map((name) => picomatch.isMatch(`/w/${name}`, pattern, { dot: true }));

// --- as a table: 4 paths in one digit -------------------------------------------------------------------------------

function digits(verdicts) {
  let text = "";
  for (let at = 0; at < verdicts.length; at += 4) {
    text += verdicts.slice(at, at + 4).reduce((sum, hit, bit) => sum + (hit ? 1 << bit : 0), 0).toString(16);
  }
  return text;
}

function rows(count, make, ask) {
  const found = new Map();
  while (found.size < count) {
    const pattern = make();
    try {
      found.set(JSON.stringify(pattern), digits(ask(pattern)));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error; // an expression that JavaScript refuses
    }
  }
  return [...found].map(([pattern, verdicts]) => `  [${pattern}, "${verdicts}"]`).join(",\n");
}

// A set that holds a slash becomes an expression that names no file anybody has; it is left out.
const plain = () => { for (;;) { const found = line(); if (!/\[[^\]]*\//.test(found)) return found; } };
const lists = () => (below(3) ? [plain()] : many([plain], 2, 4).map((make) => make()));
console.log(`{"paths": ${JSON.stringify(PATHS)},
"ignore": [\n${rows(700, lists, ignores)}\n],
"picomatch": [\n${rows(1000, glob, names)}\n]}`);
