import { expect, test } from "vitest";
import { buildDescription, lintFixture, lintMessages } from "../lint-fixture.support.js";

const effects = (...items: readonly string[]) => ({
  note: "x-resource: {owner: [user]}",
  operation: `x-effects: [${items.join(", ")}]`,
});

test("effects/duplicate: an id is one effect", async () => {
  expect(
    await lintFixture(
      buildDescription(effects("{id: one, does: delete, to: Note}", "{id: two, does: delete, to: Note}")),
    ),
  ).toEqual([]);
  expect(
    await lintMessages(
      "effects/duplicate",
      effects("{id: one, does: delete, to: Note}", "{id: one, does: create, to: Note}"),
    ),
  ).toEqual(['Another effect is called "one" too.']);
});

test("effects/proof: an effect does something, or is shown", async () => {
  expect(await lintMessages("effects/proof", effects("{id: rings, summary: A bell rings.}"))).toEqual([
    'Nothing says what "rings" does.',
  ]);
  expect(
    await lintFixture(buildDescription(effects("{id: rings, summary: A bell rings., verifiedBy: bells}"))),
  ).toEqual([]);
});
