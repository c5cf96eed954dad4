import { describeNotes, type DiffCase } from "./diff-cases.support.js";

const note = (keys: string, property = "type: string", more = "") =>
  describeNotes({
    response: "description: Done, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}",
    paths: "/boot:\n  post:\n    operationId: bootNote\n    responses: {'200': {description: Yes}}",
    schemas: `Note: {type: object, ${keys === "" ? "" : `x-resource: {${keys}}, `}properties: {status: {${property}}}}${more}`,
  });
const referring = (keys: string) =>
  describeNotes({
    operation: `parameters: [{name: a, in: query, schema: {type: string}${keys === "" ? "" : `, x-reference: {${keys}}`}}]`,
  });

interface Machine {
  readonly states?: string;
  readonly hidden?: string;
  readonly initial?: string;
  readonly transitions?: string;
}

const start = "{event: createNote, to: off}";
const boot = "{event: bootNote, from: [off], to: on}";

function machine({ states = "off, on", hidden = "", initial = start, transitions = boot }: Machine = {}): string {
  return note(
    "owner: [account]",
    `type: string, x-state-machine: {states: [${states}], hidden: {${hidden}}, initial: [${initial}], transitions: [${transitions}]}`,
  );
}

/** A description with a resource; the operation of this name reads it, returns it and changes its state. */
const named = (operation: string): string =>
  machine()
    .replace("owner: [account]", "owner: [account], read: bootNote")
    .replace("description: Done", "description: Done, x-visibility: {in: [bootNote]}")
    .replaceAll("bootNote", operation);

export const resourceDiffCases: readonly DiffCase[] = [
  {
    what: "an operation that is referred to has another name",
    old: named("bootNote"),
    next: named("startNote"),
    expected: ["operation-renamed: callers, implementers"],
  },
  {
    what: "a resource is added",
    old: note(""),
    next: note("owner: [account]"),
    expected: ["resource-added: implementers"],
  },
  {
    what: "a resource is removed",
    old: note("owner: [account]"),
    next: note(""),
    expected: ["resource-removed: implementers"],
  },
  {
    what: "a resource has another owner",
    old: note("owner: [account]"),
    next: note("owner: [user]"),
    expected: ["resource-owner-changed: implementers, wire"],
  },
  {
    what: "another operation reads a resource",
    old: note("owner: [account]"),
    next: note("owner: [account], read: createNote"),
    expected: ["resource-changed: implementers, wire"],
  },
  {
    what: "a value refers to a resource",
    old: referring(""),
    next: referring("to: Note"),
    expected: ["reference-added: wire"],
  },
  {
    what: "a value no longer refers to a resource",
    old: referring("to: Note"),
    next: referring(""),
    expected: ["reference-removed: none"],
  },
  {
    what: "a value refers to a matching resource",
    old: referring("to: Note"),
    next: referring("to: Note, where: {properties: {on: {const: true}}}, onConstraintViolation: off"),
    expected: ["reference-changed: wire"],
  },
  // States
  {
    what: "a state machine is added",
    old: note("owner: [account]"),
    next: machine(),
    expected: ["state-machine-added: none"],
  },
  {
    what: "a state machine is removed",
    old: machine(),
    next: note("owner: [account]"),
    expected: ["state-machine-removed: callers"],
  },
  {
    what: "a state is added",
    old: machine(),
    next: machine({ states: "off, on, lost" }),
    expected: ["state-added: none"],
  },
  {
    what: "a state is removed",
    old: machine({ states: "off, on, lost" }),
    next: machine(),
    expected: ["state-removed: callers, wire"],
  },
  {
    what: "states are in another order",
    old: machine(),
    next: machine({ states: "on, off" }),
    expected: ["state-order-changed: none"],
  },
  {
    what: "a hidden state appears as another state",
    old: machine({ hidden: "kept: off" }),
    next: machine({ hidden: "kept: on" }),
    expected: ["hidden-state-changed: wire"],
  },
  {
    what: "the state is another field",
    old: machine().replace("{states:", "{x-name: NoteLife, states:"),
    next: machine().replace("{states:", "{x-name: NoteLife, states:").replace("{status:", "{state:"),
    expected: [
      "response-property-added: none",
      "response-property-removed: callers, implementers, wire",
      "state-machine-changed: callers, implementers",
    ],
  },
  {
    what: "an initial state is added",
    old: machine(),
    next: machine({ initial: `${start}, {event: {platform: import}, to: on}` }),
    expected: ["initial-state-added: none"],
  },
  {
    what: "an initial state is removed",
    old: machine({ initial: `${start}, {event: {platform: import}, to: on}` }),
    next: machine(),
    expected: ["initial-state-removed: wire"],
  },
  {
    what: "the initial state changes",
    old: machine(),
    next: machine({ initial: "{event: createNote, to: on}" }),
    expected: ["initial-state-changed: wire"],
  },
  {
    what: "another initial state comes first",
    old: machine({ initial: `{event: createNote, when: {body: {required: [a]}}, to: on}, ${start}` }),
    next: machine({ initial: `${start}, {event: createNote, when: {body: {required: [a]}}, to: on}` }),
    expected: ["initial-state-changed: wire"],
  },
  {
    what: "a transition is added",
    old: machine(),
    next: machine({ transitions: `${boot}, {event: {after: PT24H}, from: [on], to: off}` }),
    expected: ["transition-added: none"],
  },
  {
    what: "a transition is removed",
    old: machine({ transitions: `${boot}, {event: {at: ends}, from: [on], to: off}` }),
    next: machine(),
    expected: ["transition-removed: wire"],
  },
  {
    what: "a transition is possible in more states",
    old: machine(),
    next: machine({ transitions: "{event: bootNote, from: [off, on], to: on}" }),
    expected: ["transition-from-added: none"],
  },
  {
    what: "a transition is possible in fewer states",
    old: machine({ transitions: "{event: bootNote, from: [off, on], to: on}" }),
    next: machine(),
    expected: ["transition-from-removed: wire"],
  },
  {
    what: "a transition takes longer",
    old: machine(),
    next: machine({ transitions: "{event: bootNote, from: [off], to: on, duration: PT5S}" }),
    expected: ["transition-changed: wire"],
  },
  {
    what: "a transition fails with another error",
    old: machine(),
    next: machine({ transitions: "{event: bootNote, from: [off], to: on, error: busy}" }),
    expected: ["transition-changed: wire"],
  },
];
