import type { Json, ScenarioContext } from "@plumbline/conformance-runtime";

const most = 65_535; // characters of the whole JSON text
const around = '{"notes":""}'.length;

/** The longest preferences are stored; ones that are one character longer are refused, and the stored ones stay. */
export async function preferencesLength(context: ScenarioContext): Promise<Json> {
  const by = { user: "user" } as const;
  await context.step({ actor: { account: "own" }, as: "user" });
  const notes = (length: number): Json => ({ notes: { $repeat: ["x", length - around] } });
  const stored = { type: "object", required: ["notes"], properties: { notes: { minLength: most - around } } };
  await context.step({ call: "updatePreferences", by, body: notes(most), expect: { status: 200, body: stored } });
  await context.step({ call: "updatePreferences", by, body: notes(most + 1), expect: { status: 400 } });
  const length = most - around;
  const kept = { ...stored, properties: { notes: { minLength: length, maxLength: length } } };
  await context.step({ call: "getPreferences", by, expect: { status: 200, body: kept } });
  return null;
}
