import path from "node:path";
import type { JSONPathQuery } from "json-p3";
import { isJsonObject, DiagnosticsError, type Diagnostic } from "../../model/index.js";
import type { DiagnosticCode } from "../lint/codes.js";
import { findNearest } from "../read/edit-distance.js";
import { isNotRelative, readSource } from "../read/source.js";
import { formatPointer, type SourceFile } from "../read/spec-node.js";

/** An overlay: https://spec.openapis.org/overlay/v1.0.0.html. */
export interface Overlay {
  readonly source: SourceFile;
  /** Absolute path of the file that it changes. */
  readonly target: string;
  readonly actions: readonly OverlayAction[];
}

export interface OverlayAction {
  /** Its index among the actions. */
  readonly index: number;
  /** The expression in the overlay. */
  readonly target: string;
  readonly query: JSONPathQuery;
  /** With `true`, `update` is ignored. */
  readonly remove: boolean;
  readonly update: unknown;
}

export interface OverlayRequest {
  /** Absolute path of the overlay. */
  readonly file: string;
  /** Absolute path of the description, the target of overlays without `extends`. */
  readonly root: string;
  readonly compile: (query: string) => JSONPathQuery;
}

/**
 * Reads an overlay.
 * @throws A DiagnosticsError with everything that is invalid.
 */
export async function readOverlay({ file, root, compile }: OverlayRequest): Promise<Overlay> {
  const folder = path.dirname(root);
  const source = await readSource(file, folder).catch((error: unknown) => {
    if (error instanceof DiagnosticsError) throw error;
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const reason = error instanceof Error ? error.message : String(error);
    const message = isMissing
      ? `There is no overlay ${path.basename(file)} in ${path.dirname(file)}.`
      : `This overlay cannot be read: ${reason}.`;
    const fix = isMissing
      ? "In plumbline.yaml its path counts from the folder of that file, after --overlay from where the command runs."
      : undefined;
    const origin = { file: path.relative(folder, file).split(path.sep).join("/"), pointer: "", line: 1, column: 1 };
    throw new DiagnosticsError([
      { code: "overlay/unreadable", severity: "error", origin, message, ...(fix !== undefined && { fix }) },
    ]);
  });
  const diagnostics: Diagnostic[] = [];
  const report = (code: DiagnosticCode, tokens: readonly string[], message: string, fix: string): void => {
    diagnostics.push(overlayDiagnostic({ source, code, tokens, message, fix }));
  };
  const overlay = parseOverlay(source, { report, compile, root });
  if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
  return overlay;
}

interface OverlayFinding {
  readonly source: SourceFile;
  readonly code: DiagnosticCode;
  readonly tokens: readonly string[];
  readonly message: string;
  readonly fix: string;
}

/** Creates a diagnostic for an overlay. The caller lowers its severity if it is harmless. */
export function overlayDiagnostic({ source, code, tokens, message, fix }: OverlayFinding): Diagnostic {
  const origin = { file: source.name, pointer: formatPointer(tokens), ...source.locate(tokens) };
  return { code, severity: "error", origin, message, fix };
}

interface OverlayReader extends Pick<OverlayRequest, "root" | "compile"> {
  readonly report: (code: DiagnosticCode, tokens: readonly string[], message: string, fix: string) => void;
}

function parseOverlay(source: SourceFile, { report, compile, root }: OverlayReader): Overlay {
  const value = isJsonObject(source.value) ? source.value : {};
  const version = value["overlay"];
  if (typeof version !== "string" || !/^1\.0\.\d+$/.test(version)) {
    const message =
      version === undefined
        ? "This does not say which overlay it is."
        : `This is overlay ${JSON.stringify(version)}; 1.0 can be read.`;
    report("overlay/version", version === undefined ? [] : ["overlay"], message, "Begin it with overlay: 1.0.0.");
    return { source, target: root, actions: [] }; // another version may have different semantics
  }
  const checkKeys = (object: unknown, at: readonly string[], known: readonly string[]): void => {
    for (const key of Object.keys(isJsonObject(object) ? object : {})) {
      if (known.includes(key) || key.startsWith("x-")) continue;
      const close = findNearest(key, known);
      const fix = close === undefined ? `Known keys: ${known.join(", ")}.` : `Did you mean "${close}"?`;
      report("overlay/schema", [...at, key], `"${key}" means nothing here.`, fix);
    }
  };
  checkKeys(value, [], ["overlay", "info", "extends", "actions"]);
  const info = isJsonObject(value["info"]) ? value["info"] : {};
  checkKeys(info, ["info"], ["title", "version"]);
  for (const key of ["title", "version"])
    if (typeof info[key] !== "string")
      report("overlay/schema", ["info", key], `The overlay has no ${key}.`, "Add info: {title: …, version: '1'}.");
  const actions = Array.isArray(value["actions"]) ? (value["actions"] as readonly unknown[]) : [];
  if (actions.length === 0)
    report("overlay/schema", ["actions"], "The overlay does nothing.", "Add actions: [{target: $.info, update: {…}}].");
  const extended = value["extends"];
  if (extended !== undefined && (typeof extended !== "string" || isNotRelative(extended)))
    report(
      "overlay/extends",
      ["extends"],
      `${JSON.stringify(extended)} is not a relative path.`,
      "Name a file of the description, seen from the overlay's folder; or leave extends out.",
    );
  return {
    source,
    target: typeof extended === "string" ? path.resolve(path.dirname(source.path), extended) : root,
    actions: actions.flatMap((each, index): readonly OverlayAction[] => {
      checkKeys(each, ["actions", String(index)], ["target", "description", "update", "remove"]);
      return parseAction(each, index, { report, compile }) ?? [];
    }),
  };
}

function parseAction(
  value: unknown,
  index: number,
  { report, compile }: Pick<OverlayReader, "report" | "compile">,
): [OverlayAction] | undefined {
  const at = ["actions", String(index)];
  const action = isJsonObject(value) ? value : {};
  const { target, remove = false } = action;
  if (typeof remove !== "boolean")
    report("overlay/schema", [...at, "remove"], "remove is true or false.", "Write remove: true.");
  if (remove !== true && !Object.hasOwn(action, "update"))
    report("overlay/schema", at, "This action does nothing.", "Add update: {…} or remove: true.");
  if (typeof target !== "string") {
    report("overlay/schema", [...at, "target"], "This action has no target.", "Add target: $.paths, or wherever.");
    return undefined;
  }
  try {
    return [{ index, target, query: compile(target), remove: remove === true, update: action["update"] }];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const fix = "Write one of RFC 9535, such as $.paths['/pets'].get.";
    report("overlay/target", [...at, "target"], `This is not a valid JSONPath: ${reason}.`, fix);
    return undefined;
  }
}
