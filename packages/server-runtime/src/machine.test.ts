import { describe, expect, expectTypeOf, test } from "vitest";
import { ImpossibleMove, machine, type Machine } from "./machine.js";

type LampState = "off" | "on" | "broken" | "lost";

interface LampMoves {
  readonly off: { readonly press: "on" | "broken"; readonly "platform:thief": "lost" };
  readonly on: { readonly press: "off"; readonly "after:PT1H": "off"; readonly "after:PT2H": "broken" };
  readonly broken: { readonly "platform:repair": "$before"; readonly discard: "$gone" };
  readonly lost: object;
}

const strong = { body: (value: unknown, faults: unknown[]) => void (value === "strong" || faults.push(value)) };

const data = {
  name: "LampLight",
  resource: "Lamp",
  field: "light",
  states: ["off", "on", "broken", "lost"],
  hidden: { broken: "off", lost: "$gone" },
  initial: [
    { trigger: "makeLamp", when: strong, begins: { to: "on", then: ["off"], takesSeconds: 60 } },
    { trigger: "makeLamp", begins: { to: "off", then: [] } },
  ],
  moves: [
    { trigger: "press", from: ["off"], when: strong, move: { to: "broken", then: [] } },
    { trigger: "press", from: ["off"], move: { to: "on", then: [], else: "not-off" } },
    { trigger: "press", from: ["on"], move: { to: "off", then: [] } },
    { trigger: "platform:thief", from: ["off"], move: { to: "lost", then: [] } },
    { trigger: "after:PT2H", afterSeconds: 7200, from: ["on"], move: { to: "broken", then: [] } },
    { trigger: "after:PT1H", afterSeconds: 3600, from: ["on"], move: { to: "off", then: [] } },
    { trigger: "platform:repair", from: ["broken"], move: { to: "$before", then: [] } },
    { trigger: "discard", from: ["broken"], move: { to: "$gone", then: [] } },
  ],
};

const lamp: Machine<LampMoves, "off" | "on" | undefined> = machine(data);

describe("a machine", () => {
  test("has the values of its data, frozen", () => {
    const { name, resource, field, states, hidden } = lamp;
    expect({ name, resource, field, states, hidden }).toEqual({
      name: "LampLight",
      resource: "Lamp",
      field: "light",
      states: ["off", "on", "broken", "lost"],
      hidden: { broken: "off", lost: "$gone" },
    });
    expect([lamp, states, hidden, lamp.next("on", "press")].every(Object.isFrozen)).toBe(true);
    expectTypeOf(states).toEqualTypeOf<readonly LampState[]>();
  });

  test("has transitions for the triggers of a state", () => {
    expect(lamp.can("off", "press")).toBe(true);
    expect(lamp.can("broken", "press")).toBe(false);
    // @ts-expect-error: nothing is moved by that
    expect(lamp.can("off", "kick")).toBe(false);
  });

  test("uses the first transition whose condition holds", () => {
    expect(lamp.next("off", "press", { body: "strong" })).toEqual({ to: "broken", then: [] });
    expect(lamp.next("off", "press", { body: "weak" })).toEqual({ to: "on", then: [], else: "not-off" });
    expect(lamp.next("off", "press")).toEqual({ to: "on", then: [], else: "not-off" });
    expect(lamp.next(lamp.states[2] ?? "on", "press")).toBeUndefined();
    expectTypeOf(lamp.next("off", "press")?.to).toEqualTypeOf<"on" | "broken" | undefined>();
    expectTypeOf(lamp.next("off", "press")?.then).toEqualTypeOf<
      readonly (LampState | "$gone" | "$before")[] | undefined
    >();
  });

  test("uses the first initial state whose condition holds", () => {
    expect(lamp.initial("makeLamp", { body: "strong" })).toEqual({ to: "on", then: ["off"], takesSeconds: 60 });
    expect(lamp.initial("makeLamp")).toEqual({ to: "off", then: [] });
    expect(lamp.initial("press")).toBeUndefined();
    expectTypeOf(lamp.initial("makeLamp")?.to).toEqualTypeOf<LampState | undefined>();
  });

  test("replaces hidden states, or hides the object", () => {
    const shown = lamp.states.map((state) => lamp.shown(state));
    expect(shown).toEqual(["off", "on", "off", undefined]);
    expectTypeOf(shown).toEqualTypeOf<("off" | "on" | undefined)[]>();
    expect(lamp.shown("toString" as LampState)).toBe("toString");
  });

  test("stays in a state until the first timed transition", () => {
    expect(lamp.lifetimeOf("on")).toEqual({ trigger: "after:PT1H", seconds: 3600 });
    expect(lamp.lifetimeOf("off")).toBeUndefined();
  });
});

describe("a transition", () => {
  test("returns the target of a trigger", () => {
    expect(lamp.transition("off", "press", "on")).toBe("on");
    expect(lamp.transition("off", "press", "broken")).toBe("broken");
    expect(lamp.transition("broken", "platform:repair", "$before")).toBe("$before");
    expect(lamp.transition("broken", "discard", "$gone")).toBe("$gone");
    expectTypeOf(lamp.transition("off", "press", "on")).toEqualTypeOf<"on">();
  });

  test("excludes other targets by type, and throws", () => {
    // @ts-expect-error: a press of one that is off does not switch it off
    expect(() => lamp.transition("off", "press", "off")).toThrow(ImpossibleMove);
    // @ts-expect-error: no press repairs it
    expect(() => lamp.transition("broken", "press", "on")).toThrow(ImpossibleMove);
    // @ts-expect-error: unknown state
    expect(() => lamp.transition("dim", "press", "on")).toThrow(ImpossibleMove);
  });

  test("from an unknown state leads to any target of the trigger", () => {
    const state = lamp.states[0] ?? "on";
    expect(lamp.transition(state, "press", "on")).toBe("on");
    expect(() => lamp.transition(state, "press", "off")).toThrow(
      expect.objectContaining({
        message: "LampLight: no transition from off to off for press",
        machine: "LampLight",
        state: "off",
        trigger: "press",
        to: "off",
      }),
    );
    // @ts-expect-error: no press leads there from anywhere
    expect(() => lamp.transition(state, "press", "lost")).toThrow(ImpossibleMove);
  });
});

test("a state machine without a field has none", () => {
  const { field: _field, ...rest } = data;
  expect("field" in machine(rest)).toBe(false);
});
