import { createRequire } from "node:module";
import path from "node:path";
import type { checkSync as check } from "recheck";
import { ts } from "ts-morph";
import { describe, expect, it } from "vitest";
import { fastTextLength } from "../packages/kit/src/openapi/patterns/backtracking.js";
import { repository } from "./support/places.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

const { checkSync } = createRequire(path.join(repository, "packages/kit/package.json"))("recheck/lib/browser.js") as {
  readonly checkSync: typeof check;
};

const isFull = process.env["MODE"] === "full";

/** Text of the user's own: a description, code, settings. Who writes it would slow down only their own command. */
const ofUser = "the text is the user's own";

/** Expressions without a proof that a text could not make slow: by the reason, and where it holds. An unused entry fails. */
const exemptions: readonly (readonly [because: string, files: RegExp, ...expressions: readonly string[]])[] = [
  // Of code that generates, checks or migrates. Its commands have the rights of the user, and end with Ctrl-C.
  [
    ofUser,
    /^(?:generators|packages\/(?:codemods|command-line|kit|plumbline|site)|test\/release)\//,
    String.raw`/"(?:[^"\\]|\\.)*"/g`,
    String.raw`/((?:[^,]+,){2}) /g`,
    String.raw`/((?:^(?:import|export|\}) (?:.* )?from |\bimport\()"\.{1,2}\/[^"\n]*)\.js"/gm`,
    String.raw`/(.{1,64}?)\1{15,}/gsu`,
    String.raw`/(?<!\/properties)\/(parameters\/\d+|requestBody|responses\/[^/]+)$/`,
    String.raw`/(?<!\{)\{\{(?!else\}\})([\w.]+)\}\}(?!\})/g`,
    String.raw`/(?<=[.!?]) +(?=[^a-z])/`,
    String.raw`/(["']?\$ref["']?\s*:\s*["']?)([^"'\s#,}]+)/g`,
    String.raw`/([^/]+)\/(?:content\/[^/]+\/)?schema$/`,
    String.raw`/(\d+(?:\.\d+)?)([WDHMS])/g`,
    String.raw`/<!--[^]*?-->\s*/g`,
    String.raw`/<polygon stroke="none"[^>]*>|<polygon points="-4,[^>]*\/>\s*/`,
    String.raw`/\/+$/`,
    String.raw`/\B(?=(\d{3})+$)/g`,
    String.raw`/\[([^\]]*)\]\([^)]*\)/g`,
    String.raw`/\d+$/`,
    String.raw`/\n\/\/# sourceMappingURL=.*\s*$/`,
    String.raw`/\s*(\{\$[^{}]*\}|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|[A-Za-z_][\w-]*|&&|\|\||==|!=|<=|>=|[$@[\]().?!<>,])/y`,
    String.raw`/\s*\n\s*/g`,
    String.raw`/\s+\S*$/`,
    String.raw`/\{([^}]*)\}/g`,
    String.raw`/\{[^}]*\}/g`,
    String.raw`/\{[^}]*\}|:[A-Za-z_]\w*/g`,
    String.raw`/^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$/`,
    String.raw`/^([ \t]+)(?![ \t*])/m`,
    String.raw`/^(application|text)\/([^/;]+\+)?json\s*(;|$)|^(application|\*)\/\*/i`,
    String.raw`/^Invalid regular expression: \/.*\/u?: /s`,
    String.raw`/^["']?openapi["']?\s*:\s*["']?3\.|[{,]\s*"openapi"\s*:\s*"3\./m`,
    String.raw`/^\n+|\s+$/g`,
    String.raw`/^\s*([1-5](?:[0-9][0-9]|XX))(?![A-Za-z0-9])/i`,
    String.raw`/^\s*([1-5]([0-9]{2}|XX))(?![a-z0-9])/i`,
    String.raw`/^\s*\/\//m`,
    String.raw`/^_+|_+$/g`,
    String.raw`/^export (?:async )?(?:const|class|enum|function|interface|let|type) ([\w$]+)/gm`,
  ],
  [
    "the text is valid JSON, so that each quote is closed",
    /^(?:packages\/server-runtime\/src\/http\/decode\/exact-numbers\.ts|packages\/server-runtime\/src\/http\/decode\/json-text\.ts)$/,
    String.raw`/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs`,
    String.raw`/("(?:[^"\\]|\\.)*")[ \t\n\r]*:|"(?:[^"\\]|\\.)*"|[[\]{},]/gs`,
    String.raw`/("[^"\\]*(?:\\.[^"\\]*)*")[ \t\n\r]*:|"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/gs`,
  ],
  [
    "it is of the suite, or a command of 8000 characters at most",
    /^(?:packages\/conformance-runtime\/src\/report\/curl\.ts|packages\/conformance-runtime\/src\/report\/replay\.ts)$/,
    String.raw`/(?<="(?:id|\w+_id|\w+Id)"\s*:\s*)\d+|(?<="(?:id|\w+_id|\w+Id)"\s*:\s*")[^"\\]+(?=")/g`,
    String.raw`/(?<=\/)[^/?#]+/g`,
    String.raw`/(?<=^\w+ )\S+$/`,
    String.raw`/^_+|_+$/g`,
  ],
  [
    "headers have 16 kB at most",
    /^(?:packages\/conformance-runtime\/src\/http\/stream-items\.ts|packages\/server-runtime\/src\/http\/decode\/media-type\.ts)$/,
    "/[ \\t]*;[ \\t]*(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+)|\"((?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*)\")[ \\t]*(?=;|$)|(?=[ \\t;]|$))/y",
    String.raw`/^(?:(?:application|text)\/(?:[^/;\s]+\+)?json(?:\s*;|$)|(?:\*|application)\/\*$)/i`,
    String.raw`/^(?:text\/event-stream|application\/(?:(?:x-)?(?:jsonl|ndjson|jsonlines)|(?:[^/;\s]+\+)?json-seq))\s*(?:;|$)/i`,
  ],
  [
    "it is sticky, and no part of a header is read twice",
    /^(?:packages\/server-runtime\/src\/http\/decode\/multipart\.ts)$/,
    '/[ \\t]*;[ \\t]*([!#$%&\'*+.^_`|~0-9A-Za-z-]+)=(?:"([^"]*)"|([^\\s";]+))[ \\t]*(?=;|$)/y',
  ],
  [
    "it is an identifier of the description",
    /^(?:packages\/server-runtime\/src\/mock\/access\/grants\.ts|packages\/server-runtime\/src\/mock\/store\/identifiers\.ts)$/,
    String.raw`/[0-9a-f]+$/`,
    String.raw`/\d+$/`,
  ],
  [
    "it is a setting",
    /^(?:packages\/conformance-runtime\/src\/command\/target\.ts|packages\/(?:server-runtime\/src\/server\/create-server|service\/src\/serve-options)\.ts)$/,
    String.raw`/\/+$/`,
  ],
  [
    "it is sticky, and a pattern of the description",
    /^(?:packages\/server-runtime\/src\/http\/patterns\/parse-pattern\.ts)$/,
    String.raw`/\\(?:u\{[^}]*\}|u[dD][89a-bA-B][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>|))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gu`,
  ],
  [
    "it is of the suite",
    /^(?:packages\/conformance-runtime\/src\/http\/path\.ts|packages\/conformance-runtime\/src\/values\/template\.ts)$/,
    String.raw`/\d+$/`,
    String.raw`/\{([^}]*)\}/g`,
  ],
  [
    "`baseUrl` is a setting",
    /^(?:packages\/client-runtime\/src\/request\/url\.ts)$/,
    String.raw`/^((https?:\/\/[^/@]+)(?=\/)(?:\/+[^/?#]+)*)\/*(\?[^#]*|)/`,
  ],
  [
    "at most 255 characters match, and a repetition has one way",
    /^(?:packages\/server-runtime\/src\/server\/docs\/site-files\.ts)$/,
    String.raw`/^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[\w-][\w.-]{0,254}$/i`,
  ],
  [
    "it is a URL of the suite, or of a link: 16 kB of headers at most",
    /^(?:packages\/conformance-runtime\/src\/http\/http-client\.ts)$/,
    String.raw`/^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?([^#]*)/`,
  ],
  [
    "it has no repetition before its end",
    /^(?:packages\/service\/src\/features\/domains\/record-fields\.ts)$/,
    String.raw`/^::ffff:(?=\d+\.)/i`,
  ],
  [
    "the system writes the text",
    /^(?:packages\/server-runtime\/src\/server\/adapters\/node\/open-files\.ts)$/,
    String.raw`/^Max open files +(\d+)/m`,
  ],
  [
    "each repetition has at most 61 characters",
    /^(?:packages\/server-runtime\/src\/validator\/checks\/formats\.ts)$/,
    String.raw`/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i`,
    String.raw`/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?)*$/u`,
    String.raw`/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i`,
  ],
  [
    "the handler writes the media type",
    /^(?:packages\/server-runtime\/src\/server\/response\/item-streams\.ts)$/,
    String.raw`/^application\/(?:x-)?(?:jsonl|ndjson|jsonlines)\s*(?:;|$)/i`,
  ],
];

interface Expression {
  readonly source: string;
  readonly flags: string;
}

/** Literals, and calls of `RegExp` with constant texts. */
function expressionsIn(file: string, text: string): readonly Expression[] {
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(tree) === "RegExp") {
      const [source, flags] = node.arguments ?? [];
      if (source !== undefined && ts.isStringLiteralLike(source))
        found.push({
          source: source.text,
          flags: flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : "",
        });
    }
    ts.forEachChild(node, visit);
  };
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  visit(tree);
  return found;
}

/** Whether the time for each text is proven to be linear: by the analysis of descriptions, which is fast, or by a slower one. */
function isLinear({ source, flags }: Expression): boolean {
  // A sticky expression is tried at one position.
  const tried = flags.includes("y") ? `^(?:${source})` : source;
  const matching = flags.replaceAll(/[dgy]/g, "");
  if (!/[imsv]/.test(matching) && isProvenFast(tried)) return true;
  const { status, checker } = checkSync(tried, matching, { timeout: backstop, checker: "automaton" });
  return status === "safe" && checker === "automaton";
}

function isProvenFast(source: string): boolean {
  try {
    return fastTextLength(source) === Infinity;
  } catch {
    // It is valid without the flag `u` only.
    return false;
  }
}

/** Milliseconds for one expression: those of this repository take less than a hundredth. */
const backstop = 60_000;

const isSource = (file: string): boolean =>
  /^(packages\/[^/]+|generators)\/src\/.*\.ts$/.test(file) && !/\.(test|support)\.ts$|\/gen\//.test(file);

describe("expressions of our own", () => {
  it("take linear time for each text", () => {
    // The loop has a part of the files: to parse all takes seconds.
    const files = trackedFiles()
      .filter(isSource)
      .filter((_, index) => isFull || index % 20 === 0);
    expect(files.length).toBeGreaterThan(isFull ? 1000 : 50);
    const used = new Set<string>();
    const proofs = new Map<string, boolean>();
    const unproven = files.flatMap((file) =>
      expressionsIn(file, readTracked(file)).flatMap((expression) => {
        const literal = `/${expression.source}/${expression.flags}`;
        const exemption = exemptions.find(([, where, ...listed]) => where.test(file) && listed.includes(literal));
        if (exemption !== undefined) {
          used.add(`${exemption[0]}: ${literal}`);
          return [];
        }
        const isProven = proofs.get(literal) ?? isLinear(expression);
        proofs.set(literal, isProven);
        return isProven ? [] : [`${file}: ${literal}`];
      }),
    );
    expect(unproven).toEqual([]);
    const entries = exemptions.flatMap(([because, , ...listed]) => listed.map((each) => `${because}: ${each}`));
    if (isFull) expect(entries.filter((each) => !used.has(each))).toEqual([]);
  });

  it.each([
    ["/(a+)+$/", false],
    ["/\\s+$/", false],
    ["new RegExp('^(a|a)*$', 'u')", false],
    ["/^(?:a|A)*$/i", false],
    ["/^a*$/", true],
    ["/a+b/y", true],
    ["RegExp('^[a-z]+$')", true],
  ])("are read and proven: %s", (text, isProven) => {
    expect(expressionsIn("a.ts", `const a = ${text};`).map(isLinear)).toEqual([isProven]);
  });
});
