import createQueryClient from "openapi-react-query";
import { client } from "./client";

/** The hooks of all components. */
export const $api = createQueryClient(client);
