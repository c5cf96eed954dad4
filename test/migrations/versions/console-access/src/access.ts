// Who may open the console, and what belongs to which project.
import { createTag, getProfile, listDomains, listTaggedObjects, paginateList, updateProfile, type Client, type Profile } from "@cloud-compute/client";

type Access = Profile["lish_auth_method"];

const meaning: Record<Access, string> = {
  password_keys: "passwords and keys",
  keys_only: "keys",
  disabled: "no user",
};

export async function describeAccess(client: Client): Promise<string> {
  const { lish_auth_method: method } = await getProfile(client);
  switch (method) {
    case "password_keys":
      return `open: ${meaning[method]}`;
    default:
      return meaning[method];
  }
}

export async function setAccess(client: Client, withPasswords: boolean): Promise<boolean> {
  const changed = await updateProfile(client, {
    body: { lish_auth_method: withPasswords ? 'password_keys' : 'keys_only' },
  });
  return changed.lish_auth_method === "password_keys";
}

/** Begins a project: a tag on some domains. */
export async function beginProject(client: Client, label: string, domains: number[]): Promise<string> {
  const tag = await createTag(client, {
    body: {
      // three letters or more
      label,
      domains,
    },
  });
  return tag.label;
}

export async function beginEmptyProject(client: Client): Promise<string> {
  return (await createTag(client, { body: { label: "empty-project" } })).label;
}

export async function countInProject(client: Client, label: string): Promise<number> {
  return (await listTaggedObjects(client, { path: { label } })).results;
}

export async function masters(client: Client, text: string): Promise<readonly string[]> {
  const page = await listDomains(client, { query: { page_size: 25 }, headers: { "X-Filter": { domain: { "+contains": text }, "+order_by": "domain" } } });
  return page.data.map(({ domain }) => domain);
}

export async function countDomains(client: Client, domain: string): Promise<number> {
  let count = 0;
  for await (const _ of paginateList(listDomains, client, { headers: { "X-Filter": { domain } } })) count++;
  return count;
}
