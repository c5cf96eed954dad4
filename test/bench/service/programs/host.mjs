// host.mjs SERVER FOLDER: serves what is stored in a folder, and tells whoever forked it the port, and when asked what it has taken.
process.env.NODE_ENV = "production";
const [server, folder] = process.argv.slice(2);
const { listen } = await import(`./serve-${server}.mjs`);
const port = await listen(folder);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpu: user + system, rss: process.memoryUsage.rss() });
});
process.once("disconnect", () => process.exit());
process.send({ port });
