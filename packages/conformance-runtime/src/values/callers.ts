import type { CallerAttributes, Suite } from "../suite.js";

/** The attributes of a caller of the suite: those of `main`, with what differs. */
export function attributesOf({ callers = {} }: Pick<Suite, "callers">, label: string): CallerAttributes {
  return { ...callers["main"], ...(Object.hasOwn(callers, label) ? callers[label] : {}) };
}

/** The labels of callers other than `main`. */
export function otherCallers(callers: NonNullable<Suite["callers"]>): readonly string[] {
  return Object.keys(callers).filter((label) => label !== "main");
}
