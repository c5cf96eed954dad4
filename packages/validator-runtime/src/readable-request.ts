/**
 * Lets the body of a request that was read be read again. A request made anew would cost many times what judging it does;
 * `clone()` makes one for whoever needs it.
 */
export function makeReadable(request: Request, given: Uint8Array): void {
  const bytes = given as Uint8Array<ArrayBuffer>;
  const type = () => request.headers.get("content-type") ?? "";
  const reply = () => new Response(bytes, { headers: { "content-type": type() } });
  const anew = () => {
    const { method, headers, signal, url } = request;
    return new Request(url, { method, headers, signal, body: bytes });
  };
  const text = () => new TextDecoder().decode(bytes);
  request.text = async () => text();
  request.json = async () => JSON.parse(text()) as unknown;
  request.arrayBuffer = async () => bytes.slice().buffer;
  request.blob = () => reply().blob();
  request.formData = () => reply().formData();
  request.clone = anew;
  Object.defineProperties(request, {
    bytes: { value: async () => bytes.slice(), configurable: true },
    body: { get: () => reply().body, configurable: true },
    bodyUsed: { get: () => false, configurable: true },
  });
}
