import { headers } from "next/headers";
import { createClient, createLetter, getLetter } from "../../../dist/sources/index";

// The sources themselves, which Next.js compiles: they import each other without an extension.
export default async function Page() {
  const client = createClient({ baseUrl: `http://${(await headers()).get("host")}/v1`, token: "t" });
  const { id } = await createLetter(client, { body: { text: "Dear Ann" } });
  const options = { next: { revalidate: 60, tags: ["letters"] } };
  const { text } = await getLetter(client, { path: { letterId: id } }, options);
  return <pre>{JSON.stringify([text])}</pre>;
}
