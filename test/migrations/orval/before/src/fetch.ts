/** Sends the requests of the generated functions. */
export async function allotmentsFetch<T>(url: string, init: RequestInit): Promise<T> {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${process.env["ALLOTMENTS_TOKEN"]}`);
  const response = await fetch(`${process.env["ALLOTMENTS_URL"]}${url}`, { ...init, headers });
  const text = await response.text();
  const data: unknown = text === "" ? undefined : JSON.parse(text);
  return { data, status: response.status, headers: response.headers } as T;
}
