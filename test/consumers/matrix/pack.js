// `node pack.js webpack`, or a bundler with the same interface: bundles the page into `dist/webpack`.
const [, , name] = process.argv;
const { default: bundle } = await import(name === "rspack" ? "@rspack/core" : name);
const output = { path: `${import.meta.dirname}/dist/${name}`, filename: "page.js" };
const compiler = bundle({ context: import.meta.dirname, mode: "production", entry: "./page.js", output });
compiler.run((error, stats) => {
  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString());
  compiler.close(() => {});
});
