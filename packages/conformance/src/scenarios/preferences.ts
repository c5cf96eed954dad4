import type { Json, ScenarioContext } from "@plumbline/conformance-runtime";

const maxCharacters = 65_535; // characters of the complete JSON text
const emptyLength = '{"notes":""}'.length;

/** Stores the longest preferences, and checks that longer ones are rejected without changing the stored ones. */
export async function preferencesLength(context: ScenarioContext): Promise<Json> {
  const by = { user: "user" } as const;
  await context.runStep({ actor: { account: "own" }, as: "user" });
  const notes = (length: number): Json => ({ notes: { $repeat: ["x", length - emptyLength] } });
  const stored = {
    type: "object",
    required: ["notes"],
    properties: { notes: { minLength: maxCharacters - emptyLength } },
  };
  await context.runStep({
    call: "updatePreferences",
    by,
    body: notes(maxCharacters),
    expect: { status: 200, body: stored },
  });
  await context.runStep({ call: "updatePreferences", by, body: notes(maxCharacters + 1), expect: { status: 400 } });
  const length = maxCharacters - emptyLength;
  const kept = { ...stored, properties: { notes: { minLength: length, maxLength: length } } };
  await context.runStep({ call: "getPreferences", by, expect: { status: 200, body: kept } });
  return null;
}
