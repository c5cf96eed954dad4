import { optionsOf, startService } from "@cloud-compute/service";

export async function listen(folder, ...more) {
  const level = more.includes("--log-requests") ? "info" : "warn";
  const options = optionsOf(["--data", folder, "--port", "0", "--log", level, ...more], {});
  const { url } = await startService(options);
  return Number(new URL(url).port);
}
