import { optionsOf, startService } from "@cloud-compute/service";

export async function listen(folder) {
  const options = optionsOf(["--data", folder, "--port", "0", "--log", "warn"], {});
  const { url } = await startService(options);
  return Number(new URL(url).port);
}
