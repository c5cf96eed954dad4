import { describe, expect, expectTypeOf, test } from "vitest";
import { InvalidTransitionError, createStateMachine, type StateMachine } from "./state-machine.js";

type LampState = "off" | "on" | "broken" | "lost";

interface LampTransitions {
  readonly off: { readonly press: "on" | "broken"; readonly "platform:thief": "lost" };
  readonly on: { readonly press: "off"; readonly "after:PT1H": "off"; readonly "after:PT2H": "broken" };
  readonly broken: { readonly "platform:repair": "$previous"; readonly discard: "$deleted" };
  readonly lost: object;
}

const strong = { body: (value: unknown, issues: unknown[]) => void (value === "strong" || issues.push(value)) };

const data = {
  name: "LampLight",
  resource: "Lamp",
  field: "light",
  states: ["off", "on", "broken", "lost"],
  hidden: { broken: "off", lost: "$deleted" },
  initial: [
    { trigger: "makeLamp", when: strong, initialState: { to: "on", then: ["off"], durationSeconds: 60 } },
    { trigger: "makeLamp", initialState: { to: "off", then: [] } },
  ],
  transitions: [
    { trigger: "press", from: ["off"], when: strong, transition: { to: "broken", then: [] } },
    { trigger: "press", from: ["off"], transition: { to: "on", then: [], error: "not-off" } },
    { trigger: "press", from: ["on"], transition: { to: "off", then: [] } },
    { trigger: "platform:thief", from: ["off"], transition: { to: "lost", then: [] } },
    { trigger: "after:PT2H", afterSeconds: 7200, from: ["on"], transition: { to: "broken", then: [] } },
    { trigger: "after:PT1H", afterSeconds: 3600, from: ["on"], transition: { to: "off", then: [] } },
    { trigger: "platform:repair", from: ["broken"], transition: { to: "$previous", then: [] } },
    { trigger: "discard", from: ["broken"], transition: { to: "$deleted", then: [] } },
  ],
};

const lamp: StateMachine<LampTransitions, "off" | "on" | undefined> = createStateMachine(data);

describe("a state machine", () => {
  test("has the values of its data, frozen", () => {
    const { name, resource, field, states, hidden } = lamp;
    expect({ name, resource, field, states, hidden }).toEqual({
      name: "LampLight",
      resource: "Lamp",
      field: "light",
      states: ["off", "on", "broken", "lost"],
      hidden: { broken: "off", lost: "$deleted" },
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
    expect(lamp.next("off", "press", { body: "weak" })).toEqual({ to: "on", then: [], error: "not-off" });
    expect(lamp.next("off", "press")).toEqual({ to: "on", then: [], error: "not-off" });
    expect(lamp.next(lamp.states[2] ?? "on", "press")).toBeUndefined();
    expectTypeOf(lamp.next("off", "press")?.to).toEqualTypeOf<"on" | "broken" | undefined>();
    expectTypeOf(lamp.next("off", "press")?.then).toEqualTypeOf<
      readonly (LampState | "$deleted" | "$previous")[] | undefined
    >();
  });

  test("uses the first initial state whose condition holds", () => {
    expect(lamp.initial("makeLamp", { body: "strong" })).toEqual({ to: "on", then: ["off"], durationSeconds: 60 });
    expect(lamp.initial("makeLamp")).toEqual({ to: "off", then: [] });
    expect(lamp.initial("press")).toBeUndefined();
    expectTypeOf(lamp.initial("makeLamp")?.to).toEqualTypeOf<LampState | undefined>();
  });

  test("replaces hidden states, or hides the object", () => {
    const serialized = lamp.states.map((state) => lamp.clientState(state));
    expect(serialized).toEqual(["off", "on", "off", undefined]);
    expectTypeOf(serialized).toEqualTypeOf<("off" | "on" | undefined)[]>();
    expect(lamp.clientState("toString" as LampState)).toBe("toString");
  });

  test("stays in a state until the first timed transition", () => {
    expect(lamp.timeoutOf("on")).toEqual({ trigger: "after:PT1H", seconds: 3600 });
    expect(lamp.timeoutOf("off")).toBeUndefined();
  });
});

describe("a transition", () => {
  test("returns the target of a trigger", () => {
    expect(lamp.transition("off", "press", "on")).toBe("on");
    expect(lamp.transition("off", "press", "broken")).toBe("broken");
    expect(lamp.transition("broken", "platform:repair", "$previous")).toBe("$previous");
    expect(lamp.transition("broken", "discard", "$deleted")).toBe("$deleted");
    expectTypeOf(lamp.transition("off", "press", "on")).toEqualTypeOf<"on">();
  });

  test("excludes other targets by type, and throws", () => {
    // @ts-expect-error: a press of one that is off does not switch it off
    expect(() => lamp.transition("off", "press", "off")).toThrow(InvalidTransitionError);
    // @ts-expect-error: no press repairs it
    expect(() => lamp.transition("broken", "press", "on")).toThrow(InvalidTransitionError);
    // @ts-expect-error: unknown state
    expect(() => lamp.transition("dim", "press", "on")).toThrow(InvalidTransitionError);
  });

  test("from an unknown state leads to any target of the trigger", () => {
    const state = lamp.states[0] ?? "on";
    expect(lamp.transition(state, "press", "on")).toBe("on");
    expect(() => lamp.transition(state, "press", "off")).toThrow(
      expect.objectContaining({
        message: "LampLight: no transition from off to off for press",
        stateMachine: "LampLight",
        state: "off",
        trigger: "press",
        to: "off",
      }),
    );
    // @ts-expect-error: no press leads there from anywhere
    expect(() => lamp.transition(state, "press", "lost")).toThrow(InvalidTransitionError);
  });
});

test("a state machine without a field has none", () => {
  const { field: _field, ...rest } = data;
  expect("field" in createStateMachine(rest)).toBe(false);
});
