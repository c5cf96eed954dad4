import { headers } from "next/headers";
import { createClient, createLetter } from "../../../dist/sources/src/gen/index";

// The sources themselves, which Next.js compiles: they import each other without an extension.
export default async function Page() {
  const client = createClient({ baseUrl: `http://${(await headers()).get("host")}/v1`, token: "t" });
  const { text } = await createLetter(client, { body: { text: "Dear Ann" } });
  return <pre>{JSON.stringify([text])}</pre>;
}
