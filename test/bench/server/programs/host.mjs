// host.mjs SERVER: serves, and sends its port to the parent process, and on request its CPU time in microseconds.
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
