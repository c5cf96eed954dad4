import {
  code,
  identifier,
  importType,
  importValue,
  joinCode,
  printSourceFile,
  propertyKey,
  renderCode,
  type Code,
  type TextFile,
} from "@plumbline/kit/codegen";
import {
  mediaKind,
  memoize,
  pascalCase,
  valueKinds,
  type Api,
  type NestedArrays,
  type Operation,
  type Parameter,
  type ParameterLocation,
} from "@plumbline/kit/model";
import { listFilterType } from "./filters.js";
import { isNameFree } from "./names.js";
import { clientRuntime, pureCall } from "./runtime.js";
import { convertedEncoder } from "./values/converted-parameters.js";

type EncodedLocation = Exclude<ParameterLocation, "path">;

const parameterEncoders = {
  query: "encodeQuery",
  header: "encodeHeaders",
  cookie: "encodeCookies",
} satisfies Record<EncodedLocation, string>;

/** The locations of the parameters whose encoders `defineOperation` gets, in its order. */
export const encodedLocations: readonly EncodedLocation[] = ["query", "header", "cookie"];

/** Emits the function that encodes the parameters of one location. */
export function emitParameterEncoder(operation: Operation, location: EncodedLocation, api: Api): readonly Code[] {
  const encoder = ownEncoder(operation, location, api);
  if (encoder === undefined) return [];
  const shared = sharedEncoders(api).get(renderCode(encoder));
  return [shared === undefined ? encoder : importValue(shared.name, "../encoders.js")];
}

/** Emits `encoders.ts`: the encoders that several operations have, so that a bundle has each of them once. */
export function emitSharedEncoders(api: Api): readonly TextFile[] {
  const shared = [...sharedEncoders(api).values()];
  if (shared.length === 0) return [];
  const statements = shared.map(
    ({ name, encoder }) =>
      code`export const ${identifier(name)}: ${importType("RequestEncoder", clientRuntime)} = ${encoder};`,
  );
  const reservedNames = shared.map(({ name }) => name);
  return [{ path: "src/gen/encoders.ts", text: printSourceFile(statements, reservedNames) }];
}

interface SharedEncoder {
  readonly name: string;
  readonly encoder: Code;
}

/** The encoders with special parameters that several operations have, by their text. */
const sharedEncoders = memoize((api): ReadonlyMap<string, SharedEncoder> => {
  const visited = new Set<string>();
  const used = new Set<string>();
  const shared = new Map<string, SharedEncoder>();
  for (const operation of api.operations)
    for (const location of encodedLocations) {
      const names = specialEncoders(operation, location, api).map(({ name }) => name);
      const encoder = ownEncoder(operation, location, api);
      if (encoder === undefined || names.length === 0) continue;
      const text = renderCode(encoder);
      if (visited.has(text) && !shared.has(text)) shared.set(text, { name: freeName(names, api, used), encoder });
      visited.add(text);
    }
  return shared;
});

function freeName(parameters: readonly string[], api: Api, used: Set<string>): string {
  const stem = `encode${pascalCase(parameters.join(" ")) ?? "Parameters"}`;
  let name = stem;
  for (let count = 2; used.has(name) || !isNameFree(api, name); count += 1) name = `${stem}${count}`;
  used.add(name);
  return name;
}

function ownEncoder(operation: Operation, location: EncodedLocation, api: Api): Code | undefined {
  if (!operation.parameters.some((parameter) => parameter.in === location)) return undefined;
  const special = specialEncoders(operation, location, api);
  if (special.length === 0) return importValue(parameterEncoders[location], clientRuntime);
  return pureCall(`${parameterEncoders[location]}With`, encodersByName(special));
}

/** Emits the `pathEncoder` of an operation, if its path has parameters that are not encoded as one scalar each. */
export function emitPathEncoder(operation: Operation, api: Api): readonly Code[] {
  const [parameter, ...others] = operation.parameters.filter((each) => each.in === "path");
  // It rejects what other encoders leave to `pathEncoder`, so a single parameter needs nothing else.
  if (parameter !== undefined && others.length === 0 && isMultiSegment(parameter, api))
    return [code`pathEncoder: ${importValue("multiSegment", clientRuntime)}`];
  const special = specialEncoders(operation, "path", api);
  if (special.length === 0) return [];
  return [code`pathEncoder: ${pureCall("pathEncoder", encodersByName(special))}`];
}

function isMultiSegment(parameter: Parameter, api: Api): boolean {
  return (
    parameterEncoder(parameter, api) === "multiSegment" &&
    convertedEncoder(parameter, "multiSegment", api) === undefined
  );
}

interface SpecialEncoder {
  /** The name of the parameter. */
  readonly name: string;
  readonly encoder: Code;
}

function encodersByName(special: readonly SpecialEncoder[]): Code {
  const entries = special.map(({ name, encoder }) => code`${propertyKey(name)}: ${encoder}`);
  return code`{ ${joinCode(entries, code`, `)} }`;
}

function specialEncoders(operation: Operation, place: ParameterLocation, api: Api): readonly SpecialEncoder[] {
  return operation.parameters.flatMap((parameter) => {
    if (parameter.in !== place) return [];
    const encoder = parameterEncoder(parameter, api);
    const isFilter = listFilterType(api, operation, parameter) !== undefined;
    // The fields of a filter stay as JSON has them.
    const converted = isFilter ? undefined : convertedEncoder(parameter, encoder, api);
    const written = converted ?? (encoder === undefined ? undefined : importValue(encoder, clientRuntime));
    return written === undefined ? [] : [{ name: parameter.name, encoder: written }];
  });
}

function parameterEncoder(parameter: Parameter, api: Api): string | undefined {
  const kinds = valueKinds(api);
  const hasFields = kinds.has(parameter.schema, "object");
  const hasItems = kinds.has(parameter.schema, "array");
  const encoder = encoderOf(parameter, { hasFields, nestedArrays: api.nestedArrays });
  if (encoder !== undefined || parameter.in === "header") return encoder;
  if (parameter.in !== "path")
    return parameter.style === "content" && (hasFields || hasItems) ? "textParameter" : undefined;
  if (parameter.segments > 1) return "multiSegment";
  return hasItems ? "simpleStyle" : undefined;
}

type EncodingRules = Pick<Parameter, "in" | "style" | "explode" | "allowReserved" | "mediaType">;

const deepObjectEncoders = {
  brackets: "deepObject",
  indices: "deepObjectIndices",
  repeat: "deepObjectRepeat",
} satisfies Record<NestedArrays, string>;

const jsonEncoders = {
  path: "jsonSegment",
  query: "jsonParameter",
  header: "jsonHeader",
  cookie: "jsonParameter",
} satisfies Record<ParameterLocation, string>;

/** Returns the runtime's encoder for a parameter that does not use the default style of its location. */
export function encoderOf(
  { in: place, style, explode, allowReserved, mediaType }: EncodingRules,
  { hasFields, nestedArrays }: { readonly hasFields: boolean; readonly nestedArrays: NestedArrays | undefined },
): string | undefined {
  switch (style) {
    case "content":
      if (mediaKind(mediaType ?? "") !== "json") return undefined;
      return jsonEncoders[place];
    case "simple":
      if (!hasFields) return undefined;
      if (place === "header") return explode ? "objectHeaderExploded" : "objectHeader";
      return explode ? "simpleExploded" : "simpleStyle";
    case "form":
      return explode ? (allowReserved && place === "query" ? "allowReserved" : undefined) : "commaDelimited";
    case "spaceDelimited":
    case "pipeDelimited":
      return explode ? undefined : style;
    case "cookie":
      return explode ? "plainCookieExploded" : "plainCookie";
    case "deepObject":
      return deepObjectEncoders[nestedArrays ?? "brackets"];
    case "label":
      return explode ? "labelExploded" : "labelStyle";
    case "matrix":
      return explode ? "matrixExploded" : "matrixStyle";
  }
}
