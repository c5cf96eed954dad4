import type { Expression, TransitionEvent } from "@plumbline/kit/model";

/**
 * Returns the key of a trigger in the table of a state machine. A transition of another object than the one in the path
 * has a separate key,
 * because the same request may cause a transition of both.
 */
export function transitionKey(by: TransitionEvent, on?: Expression): string {
  switch (by.kind) {
    case "operation":
      return `${by.operation}${on === undefined ? "" : `:${subjectOf(on)}`}`;
    case "platform":
      return `platform:${by.platform}`;
    case "after":
      return `after:${by.after.text}`;
    case "at":
      return `at:${by.at}`;
  }
}

function subjectOf({ root, part, pointer, text }: Expression): string {
  return root === "request" && part === "body" ? pointer.join("/") : text.replace(/^\$/, "");
}
