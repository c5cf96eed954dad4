import type { ConsoleOperation } from "./console-data.js";
import type { MockScript } from "./mock-session.js";
import type { ResponseCheck } from "./response-view.js";
import type { ReadResponse } from "./send.js";

/** Checks a response against the description. Without the generated checks, only its status is checked. */
export function checkResponse(
  { name, responses }: Pick<ConsoleOperation, "name" | "responses">,
  { status, type, bytes, isCut }: Pick<ReadResponse, "status" | "type" | "bytes" | "isCut">,
  script: Pick<MockScript, "responseIssues"> | undefined,
): ResponseCheck {
  if (status === 0)
    return { issues: [], limitation: "A redirect. The page does not follow it: another server would get the request." };
  const documented = [String(status), `${Math.floor(status / 100)}XX`, "default"].find((each) =>
    Object.hasOwn(responses, each),
  );
  if (documented === undefined)
    return {
      issues: [{ in: "response", code: "status", reason: `status ${status} is not documented` }],
      limitation: undefined,
    };
  if (script === undefined)
    return { issues: [], limitation: "The status is documented. This site has no checks of bodies." };
  if (isCut) return { issues: [], limitation: "The status is documented. The body is too long to check." };
  return { issues: script.responseIssues(name, { status, type, bytes }), limitation: undefined };
}
