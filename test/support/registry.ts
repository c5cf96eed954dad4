import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { repository, unremovedFolder } from "./places.js";

/** An npm registry on this machine, which contains only the packages that tests publish to it. */
export interface Registry {
  readonly url: string;
  /** Configures npm in one folder to look for the scopes there, and to publish as a user. */
  readonly configure: (folder: string, owner?: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts one for packages of these scopes, such as `@shop`, and for packages without one; each has an owner who may publish. */
export async function startRegistry(owners: Readonly<Record<string, string>>): Promise<Registry> {
  const folder = await unremovedFolder();
  const program = path.join(repository, "test", "tools", "registry.mjs");
  const names = Object.entries(owners).map((each) => each.join("="));
  const child = spawn(process.execPath, [program, folder, ...names], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const early = ended.then(([code]) => {
    throw new Error(`the registry ended with ${code} before it was ready`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), early])) as [string];
  const { port } = JSON.parse(line) as { readonly port: number };
  const url = `http://127.0.0.1:${port}`;
  const tokens = new Map<string, string>();
  for (const owner of new Set(Object.values(owners))) tokens.set(owner, await signUp(url, owner));
  return {
    url,
    configure: async (project, owner = "") => {
      const token = tokens.get(owner);
      const lines = [
        ...Object.keys(owners).flatMap((name) => (name.startsWith("@") ? [`${name}:registry=${url}`] : [])),
        ...(token === undefined ? [] : [`//127.0.0.1:${port}/:_authToken=${token}`]),
      ];
      await writeFile(path.join(project, ".npmrc"), `${lines.join("\n")}\n`);
    },
    close: async () => {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Gives back the token of a new user. */
async function signUp(url: string, name: string): Promise<string> {
  const response = await fetch(`${url}/-/user/org.couchdb.user:${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password: `the password of ${name}` }),
  });
  const { token } = (await response.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`the registry gives ${name} no token: ${response.status}`);
  return token;
}
