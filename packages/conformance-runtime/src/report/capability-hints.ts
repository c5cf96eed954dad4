import type { Capability, Suite } from "../suite.js";
import { otherCallers } from "../values/callers.js";

/** How to provide a capability: by options of the command, or by options of tests. */
export function capabilityHint(
  missing: Capability,
  { actors, clock, callers = {} }: Suite,
  by: "command" | "tests",
): string {
  const { controls, profile } = sources[by];
  const labels = otherCallers(callers).map((each) => JSON.stringify(each));
  const ways = {
    controls,
    "other-account": `${profile} "otherAccount", the token of another account${actors.user === undefined ? "" : `; or ${controls}`}`,
    users: actors.user === undefined ? "this suite has no fixture for users" : controls,
    callers: `${profile} ${labels.join(", ")}: tokens of callers with these attributes and without grants${actors.user === undefined ? "" : `; or ${controls}`}`,
    tokens: `${profile} "tokens", each with its scopes${actors.token === undefined && actors.user === undefined ? "" : `; or ${controls}`}`,
    clock: clock === undefined ? "this suite has no fixture for the clock" : controls,
    listener: "a server that can reach this machine",
    object: "a fixture of the object in `fixtures`, or a path in `operations`, of the suite's settings",
  } satisfies Record<Capability, string>;
  return ways[missing];
}

const sources = {
  command: { controls: "--controls URL, of a server with test controls", profile: "a profile with" },
  tests: { controls: "the option `controls`, of a server with test controls", profile: "`credentials` with" },
} as const;
