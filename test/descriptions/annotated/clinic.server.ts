// A clinic on the server generated from clinic.yaml, as its user would write it. Roles, grants and the owners of objects are the server's.
import {
  createServer,
  readList,
  selectItems,
  type Appointment,
  type Caller,
  type Doctor,
  type Handlers,
  type Patient,
  type RequestContext,
  type Resources,
} from "./server/src/index.js";
import type { Server } from "@plumbline/server-runtime";

interface Rows extends Resources {
  readonly Doctor: Doctor;
  readonly Patient: Stored<Patient>;
  readonly Appointment: Stored<Appointment>;
}

type Stored<T> = T & { readonly clinic: string };

const doctors: readonly Doctor[] = [
  { id: 1, name: "Dr. Meyer" },
  { id: 2, name: "Dr. Okafor" },
];

/** A clinic in memory. `callers`: who a token belongs to. */
export function createClinic(callers: ReadonlyMap<string, ClinicCaller>): Server {
  const patients = new Map<number, Rows["Patient"]>();
  const appointments = new Map<number, Rows["Appointment"]>();
  let last = 0;
  const clinicOf = ({ caller }: RequestContext & { readonly caller: Caller }): string => String(caller.clinic.id);
  const setStatus = (appointment: Rows["Appointment"], status: Appointment["status"]) => {
    const changed = { ...appointment, status };
    appointments.set(changed.id, changed);
    return { status: 200, body: changed } as const;
  };

  const handlers: Handlers<RequestContext, Rows> = {
    listDoctors: () => ({ status: 200, body: [...doctors] }),
    getDoctor: ({ target }) => ({ status: 200, body: target }),
    listPatients: ({ listScope: { owner } }) => ({
      status: 200,
      body: [...patients.values()].filter(({ clinic }) => clinic === owner?.clinic),
    }),
    createPatient: ({ body }, context) => {
      const patient = { ...body, clinic: clinicOf(context), id: ++last };
      patients.set(patient.id, patient);
      return { status: 201, body: patient };
    },
    getPatient: ({ target }) => ({ status: 200, body: target }),
    updatePatient: ({ target, body }) => {
      const patient = { ...target, ...body };
      patients.set(patient.id, patient);
      return { status: 200, body: patient };
    },
    deletePatient: ({ target }) => {
      patients.delete(target.id);
      return { status: 204 };
    },
    listAppointments: (request) => {
      const own = [...appointments.values()].filter(({ clinic }) => clinic === request.listScope.owner?.clinic);
      return { status: 200, body: selectItems(own, readList("listAppointments", request)) };
    },
    bookAppointment: ({ body }, context) => {
      const appointment = { ...body, clinic: clinicOf(context), id: ++last, status: "booked" as const };
      appointments.set(appointment.id, appointment);
      return { status: 201, body: appointment };
    },
    getAppointment: ({ target }) => ({ status: 200, body: target }),
    deleteAppointment: ({ target }) => {
      appointments.delete(target.id);
      return { status: 204 };
    },
    checkIn: ({ target }) => setStatus(target, "waiting"),
    finishAppointment: ({ target }) => setStatus(target, "done"),
  };

  return createServer<RequestContext, Rows>(handlers, {
    authenticate: {
      token: (token) => {
        const found = callers.get(token);
        if (found === undefined) return undefined;
        const { user, account, role, scopes } = found;
        return { caller: { user, clinic: { id: account }, role, scopes: scopes.join(" ") } };
      },
    },
    // No user of this clinic may register patients.
    grants: () => ({ named: {} }),
    resources: {
      Doctor: { load: ({ values }) => doctors.filter(({ id }) => values.includes(id)) },
      Patient: {
        load: ({ values }) => values.flatMap((id) => patients.get(id) ?? []),
        owner: ({ clinic }) => ({ clinic }),
      },
      Appointment: {
        load: ({ values }) => values.flatMap((id) => appointments.get(id) ?? []),
        owner: ({ clinic }) => ({ clinic }),
      },
    },
    limits: {
      isTaken: {
        "insurance-number": ({ insurance_number: number }, { caller }, except) =>
          [...patients.values()].some(
            (each) => each.insurance_number === number && each.clinic === caller?.clinic.id && each.id !== except?.id,
          ),
        "slot-once": ({ slot, doctor_id: doctor }) =>
          [...appointments.values()].some((each) => each.slot === slot && each.doctor_id === doctor),
      },
    },
  });
}

interface ClinicCaller {
  readonly user: string;
  readonly account: string;
  readonly role: Caller["role"];
  readonly scopes: readonly string[];
}
