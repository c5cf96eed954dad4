import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import {
  code,
  comment,
  imported,
  isIdentifier,
  join,
  key,
  literal,
  name,
  print,
  typeImported,
  type Code,
} from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Operation, Shape, StateMachine } from "../model/api.js";
import { jsonContent } from "../model/media.js";
import { camelCase, isReserved } from "../model/names.js";
import { once } from "../model/once.js";
import { unreachable } from "../model/reach.js";
import { ProblemError, type Problem } from "../problem.js";
import { TypePrinter } from "../types/print.js";
import { argumentsName, fileOf, isFree } from "./names.js";
import { successReplies } from "./replies.js";
import { runtime } from "./runtime.js";

/** Emits `states.ts`: functions that wait until a resource is in a state, one for each state machine whose states a response contains. */
export function emitStates(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const found = waits(api);
  if (found.length === 0) return [];
  const problems = clashes(found, options);
  if (problems.length > 0) throw new ProblemError(problems);
  const printer = new TypePrinter(api);
  const own = found.flatMap(({ called, machine }) => [called, tableName(machine)]);
  const statements = found.flatMap((wait) => [table(wait, printer), waiting(wait, printer)]);
  return [{ path: "src/gen/states.ts", text: print(statements, banner, own) }];
}

function clashes(found: readonly Wait[], { locate }: ArtifactOptions): readonly Problem[] {
  const taken = new Set<string>();
  return found.flatMap(({ called, machine }) => {
    const names = [called, tableName(machine)];
    const reserved = names.find((own) => !isIdentifier(own) || isReserved(own));
    const clash = names.find((own) => taken.has(own)) ?? (new Set(names).size < names.length ? called : undefined);
    for (const own of names) taken.add(own);
    const report = (what: string, message: string): Problem => ({
      code: what,
      severity: "error",
      origin: locate(machine.origin),
      message,
      fix: 'Add "x-name" to the state machine, or another one.',
    });
    if (reserved !== undefined) return [report("names/reserved", `A state machine cannot be called ${reserved}.`)];
    return clash === undefined ? [] : [report("names/collision", `Another wait function has the name ${clash}.`)];
  });
}

/** A function that waits for a state. */
interface Wait {
  /** The function's name: of the resource, or of the state machine if the resource has several. */
  readonly called: string;
  readonly machine: StateMachine;
  readonly field: string;
  readonly read: Operation;
  readonly shape: Shape;
}

export const waits: (api: Api) => readonly Wait[] = once((api) =>
  api.machines.flatMap((machine): readonly Wait[] => {
    const { resource, field } = machine;
    const named = api.resources.find((each) => each.name === resource)?.read;
    const read = api.operations.find((each) => each.name === named);
    const shape = read === undefined ? undefined : shownBy(read);
    if (field === undefined || read === undefined || shape === undefined || !shows(api, shape, field)) return [];
    const several = api.machines.filter((each) => each.resource === resource && each.field !== undefined).length > 1;
    const called = `waitFor${several ? machine.name : resource}`;
    return isFree(api, called) ? [{ called, machine, field, read, shape }] : [];
  }),
);

/** Returns the schema of the response, if there is exactly one and the path parameters are all that the operation requires. */
function shownBy(read: Operation): Shape | undefined {
  const [reply, ...others] = successReplies(read);
  const isAddressed = read.parameters.every((each) => each.in === "path" || !each.required);
  const hasPath = read.parameters.some((each) => each.in === "path");
  if (reply === undefined || others.length > 0 || !isAddressed || !hasPath || read.body?.required === true)
    return undefined;
  return jsonContent(reply.contents)?.shape;
}

/** True if generated code can read the field of a value of this schema. */
function shows(api: Api, { ref, properties = [] }: Shape, field: string): boolean {
  if (properties.some((each) => each.name === field)) return true;
  const named = ref === undefined ? undefined : api.shapes.find((each) => each.name === ref)?.shape;
  return named !== undefined && (named.properties ?? []).some((each) => each.name === field);
}

/** True if a single path parameter identifies the resource. */
export function isAddressedById({ parameters }: Operation): boolean {
  return parameters.filter((each) => each.in === "path").length === 1;
}

function table({ machine, field, shape }: Wait, printer: TypePrinter): Code {
  const ways = [...unreachable(machine)].flatMap(([state, others]) =>
    others.length === 0 ? [] : [code`${key(state)}: ${literal(others)},`],
  );
  const access = isIdentifier(field) && !isReserved(field) ? code`.${name(field)}` : code`[${literal(field)}]`;
  return code`/** The states that can never follow each state. */
const ${name(tableName(machine))}: ${typeImported("Machine", runtime)}<${printer.type(shape, "./types.js")}, ${targets(machine)}> = {
  what: ${literal(words(machine.resource))},
  state: (shown) => shown${access},
  never: {
    ${ways}
  },
};`;
}

function waiting({ called, machine, read, shape }: Wait, printer: TypePrinter): Code {
  const only = read.parameters.find((each) => each.in === "path");
  const request = typeImported(argumentsName(read), fileOf(read));
  const isOne = only !== undefined && isAddressedById(read);
  const given = isOne ? code`id: ${request}["path"][${literal(only.name)}]` : code`path: ${request}["path"]`;
  const sent = isOne ? code`path: { ${key(only.name)}: id }` : code`path`;
  const state = settled(machine);
  const about = comment([
    `Polls \`${read.name}\` at growing intervals until the ${words(machine.resource)} is in a state, and returns it.`,
    "",
    "@throws A `WaitError` as soon as no transition can lead to the state, if the object is gone or has no state, at the deadline, or when the signal is aborted.",
    "",
    "@example",
    `await ${called}(client, ${isOne ? "id" : "path"}, ${JSON.stringify(state)}, { deadline: new Date(Date.now() + 60_000) });`,
  ]);
  return code`${about}
export function ${name(called)}(client: ${typeImported("Client", runtime)}, ${given}, target: ${targets(machine)}, options?: ${typeImported("WaitOptions", runtime)}): Promise<${printer.type(shape, "./types.js")}> {
  return ${imported("waitFor", runtime)}(${name(tableName(machine))}, (each) => ${imported(read.name, fileOf(read))}(client, { ${sent} }, each), { client, target, options });
}`;
}

/** Returns the state that most callers wait for: the final state after creation. */
export function settled({ initial, states }: StateMachine): string {
  const made = initial.find(({ then }) => then.length > 0) ?? initial[0];
  return made?.then.findLast((state) => states.includes(state)) ?? made?.to ?? states[0] ?? "";
}

function targets(machine: StateMachine): Code {
  return join([...unreachable(machine).keys()].map(literal), code` | `);
}

function tableName({ name: machine }: StateMachine): string {
  return camelCase(machine) ?? machine;
}

/** Splits a type name into words: `ssh key` for `SSHKey`. */
function words(text: string): string {
  return text.replaceAll(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2").toLowerCase();
}
