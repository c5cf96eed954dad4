import { suite } from "@cloud-compute/conformance";
import type { Case } from "@plumbline/conformance-runtime";
import { expect, test } from "vitest";

/** Kinds of cases about security, money and loss: credentials, scopes, grants, limits, secrets, and effects on other objects. */
const criticalKinds: ReadonlySet<string> = new Set(["security", "scopes", "grants", "limits", "visible", "effects"]);

/** Parts of the ids of cases about owners and about what a deletion takes with it. */
const criticalParts: ReadonlySet<string> = new Set(["others", "cascade", "detached", "deleted"]);

/** What the response of getGrants contains, which only restricted users get: one case looks at all of it. */
const grantsResponse = new Set(
  suite.cases.find(({ id }) => id === "profile/getGrants/visible/200")?.requirements ?? [],
);

/** Requirements with one such case, with reasons. */
const exempt: Readonly<Record<string, string>> = {
  "answer.204.grants": "One operation has this response, and one kind of user gets it.",
  "auth.anonymous.images": "Its requirement for one image has a case of its own; the list is one operation.",
  "backup.snapshot.type": "One operation creates snapshots.",
  "instance.clone.tags": "One operation copies tags.",
  "instance.create.image-grant": "One field needs this grant.",
  "instance.limits.watchdog": "Only the status of the instance shows the limit.",
  "instance.watchdog.gives-up": "Only the status of the instance shows the limit.",
  "questions.overwritten": "One operation stores answers.",
  "questions.unanswered-null": "One operation stores answers.",
  "tag.create.grants": "One operation creates tags.",
  "tag.unrestricted.create": "One operation creates tags.",
};

test("each requirement of security, money and loss has two cases, or a reason", () => {
  const cases = new Map<string, Case[]>();
  for (const each of suite.cases)
    for (const requirement of each.requirements) {
      const known = cases.get(requirement);
      if (known === undefined) cases.set(requirement, [each]);
      else known.push(each);
    }
  const single = [...cases].filter(([, found]) => found.length < 2 && found.some(isCritical)).map(([name]) => name);
  expect(single.filter((name) => !grantsResponse.has(name)).toSorted()).toEqual(Object.keys(exempt).toSorted());
});

function isCritical({ kind, id }: Case): boolean {
  return criticalKinds.has(kind) || id.split("/").some((part) => criticalParts.has(part));
}
