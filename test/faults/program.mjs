// The service with some of its files replaced. Files and their texts come as JSON on standard input; the arguments are those of the service.
import { register } from "node:module";
import { text } from "node:stream/consumers";

const { sources, program } = JSON.parse(await text(process.stdin));
register("./program-hooks.mjs", import.meta.url, { data: sources });
const { main } = await import(program);
await main(process.argv.slice(2));
