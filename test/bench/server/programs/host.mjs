// host.mjs SERVER: serves, and tells whoever forked it the port, and when asked the microseconds of CPU that it has taken.
process.env.NODE_ENV = "production";
const { server } = await import(`./serve-${process.argv[2]}.mjs`);

server.listen(0, "127.0.0.1", () => {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpu: user + system });
  });
  process.once("disconnect", () => process.exit());
  process.send({ port: server.address().port });
});
