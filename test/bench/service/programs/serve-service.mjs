import { optionsOf, startService } from "@cloud-compute/service";

/** Serves the store of a folder, or a database by its URL. */
export async function listen(place, ...more) {
  const level = more.includes("--log-requests") ? "info" : "warn";
  const store = place.startsWith("postgres:") ? ["--data", ":memory:", "--database-url", place] : ["--data", place];
  const options = optionsOf([...store, "--port", "0", "--log", level, ...more], {});
  const { url } = await startService(options);
  return Number(new URL(url).port);
}
