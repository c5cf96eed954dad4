import { client, type Schemas } from "./client.js";

interface Card {
  readonly email: string;
  readonly phone: string;
  readonly line2?: string;
}

export function show(card: Card): string {
  return `${card.email} ${card.phone} ${card.line2 ?? ""}`;
}

export async function find(name: string): Promise<Schemas["Customer"][]> {
  const { data } = await client.GET("/customers", { params: { query: { name } } }); // concerns: parameter-required-added
  return data?.items ?? [];
}

export async function card(customerId: number): Promise<Card | undefined> {
  const { data } = await client.GET("/customers/{customerId}", { params: { path: { customerId } } }); // concerns: operation-deprecated
  if (!data) return undefined;
  const line2 = data.address?.line2; // concerns: response-property-removed
  return {
    email: data.email, // concerns: response-null-added
    phone: data.phone, // concerns: field-deprecated
    ...(line2 !== undefined && { line2 }),
  };
}

export async function relocate(customerId: number): Promise<string> {
  const { data } = await client.PUT("/customers/{customerId}/address", {
    params: { path: { customerId } },
    body: {
      street: "Long Lane 2",
      line2: "Flat 3", // concerns: request-property-removed
      city: "York",
      country: "GB",
    },
  });
  return data?.email?.toLowerCase() ?? "unknown";
}
