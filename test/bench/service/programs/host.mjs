// host.mjs SERVER FOLDER OPTIONS…: serves the store of a folder, and sends its port to the parent process, and on request its CPU time and memory.
process.env.NODE_ENV = "production";
const [server, folder, ...options] = process.argv.slice(2);
const { listen } = await import(`./serve-${server}.mjs`);
const port = await listen(folder, ...options);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, rss: process.memoryUsage.rss() });
});
process.once("disconnect", () => process.exit());
process.send({ port });
