import type { Expression, Trigger } from "../model/api.js";

/**
 * What a trigger is called in the table of a machine. A move of an object that the path does not name has a trigger of its own, since the same call
 * moves the one that it names too.
 */
export function triggerName(by: Trigger, on?: Expression): string {
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
