// An npm registry in the passed folder, for scopes and packages with their owners, `@scope=owner` or `package=owner`. It has no upstream registry. Prints its address once it listens.
import path from "node:path";
import { runServer } from "verdaccio";

const [folder = "", ...owners] = process.argv.slice(2);
const file = path.join(folder, "verdaccio.yaml");
const server = await runServer({
  configPath: file,
  self_path: file,
  storage: path.join(folder, "storage"),
  auth: { htpasswd: { file: path.join(folder, "htpasswd"), algorithm: "sha1" } },
  packages: Object.fromEntries(
    owners.map((each) => {
      const [name, owner] = each.split("=");
      return [name.startsWith("@") ? `${name}/*` : name, { access: "$all", publish: owner }];
    }),
  ),
  web: { enable: false },
  max_body_size: "50mb",
  log: { type: "stdout", format: "json", level: "fatal" },
});
server.listen(0, "127.0.0.1", () => console.log(JSON.stringify({ port: server.address().port })));
