import assert from "node:assert/strict";
import { NewPlot, PlotList, PlotTitle, Release } from "./src/board";
import { HarvestList, prefetchHarvests } from "./src/harvest-list";
import { client } from "./src/client";
import { mocks } from "./src/mocks";
import { record } from "./src/report";
import { Page } from "./src/rendering";

/** Uses the components of the program, as a person does. */
export async function checkBoard(): Promise<void> {
  const list = await Page.open(
    <main>
      <PlotList />
      <NewPlot name="West" onSaved={({ name }) => saved.push(name)} />
    </main>,
  );
  const saved: string[] = [];
  assert.match(list.text(), /North.*Ada.*South.*free/);
  await list.click("Save");
  assert.match(list.text(), /West/);
  assert.deepEqual(saved, ["West"]);
  await list.close();

  const refused = await Page.open(<NewPlot name="" onSaved={() => assert.fail()} />);
  await refused.click("Save");
  assert.match(refused.text(), /Not saved:  A plot has a name\./);
  await refused.close();

  const title = await Page.open(
    <main>
      <PlotTitle id={2} />
      <PlotTitle id={77} />
    </main>,
  );
  assert.equal(title.text(), "South Unknown: There is no such plot.");
  await title.close();

  const plot = { id: 1, name: "North", soil: "clay", version: "a1" } as const;
  const release = await Page.open(<Release plot={plot} />);
  await release.click("Release");
  assert.equal(release.text(), "Released");
  await release.close();

  for (const crop of ["Kale", "Peas", "Leek"])
    await record(client, 2, { crop, kilograms: 1, day: "2026-02-01" });
  const harvests = await Page.open(<HarvestList id={2} />);
  assert.equal(await prefetchHarvests(harvests.queries, 2), 3);
  assert.equal(harvests.text(), "Kale, Peas More");
  await harvests.click("More");
  assert.equal(harvests.text(), "Kale, Peas, Leek");
  await harvests.close();

  mocks.listen({ onUnhandledRequest: "bypass" });
  const mocked = (await (await fetch("https://mock.example/v1/plots")).json()) as readonly { readonly name: string }[];
  assert.equal(mocked[0]?.name, "Mock");
  mocks.close();
}
