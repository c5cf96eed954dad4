import { headers } from "next/headers";
import { runScenario } from "../../../scenario.js";

export default async function Page() {
  const host = (await headers()).get("host");
  return <pre>{await runScenario(`http://${host}/v1`)}</pre>;
}
