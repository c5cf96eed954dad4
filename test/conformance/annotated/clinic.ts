import type { Sample } from "../../support/foreign/serving.js";
import { ownedBy, present, scoped, shown } from "./library.js";
import {
  sampleApi,
  SampleRejection,
  sideEffectOf,
  type Fields,
  type SampleCall,
  type SampleCaller,
  type SideEffect,
} from "./sample-api.js";
import { checkQuery, queryFilter, sorted } from "./sample-lists.js";

/** Ways in which an operation may do more than it should. */
export const clinicSideEffects = [
  "a new e-mail clears the date of birth",
  "a new e-mail reaches the other patients",
  "a new patient takes the e-mail from others",
  "a deleted patient misses the booked appointments",
  "a patient who arrives misses the other appointments",
  "a patient who arrives becomes urgent",
  "a finished appointment finishes those that wait for the doctor",
  "a finished appointment loses its reason",
  "a booking delays later appointments of the doctor",
  "an urgent booking makes the patient urgent elsewhere",
  "a deleted appointment clears the e-mail of its patient",
  "a correction reaches the same number in other accounts",
] as const;

/** Ways in which a clinic may be wrong. */
export const clinicFaults = [
  "the order of appointments is ignored",
  "appointments are always in ascending order",
  "appointments are not filtered",
  "an appointment begins as waiting",
  "a patient can check in twice",
  "an appointment can be finished before it begins",
  "an appointment can be finished twice",
  "a waiting patient stays booked",
  "a finished appointment stays waiting",
  "an appointment in treatment can be deleted",
  "a booked appointment cannot be deleted",
  "a slot can be booked twice",
  "a taken slot is reported for another field",
  "an insurance number can be used twice",
  "an insurance number can change to one of another patient",
  "a patient cannot keep the insurance number",
  "patients of other clinics can be read",
  "patients of other clinics are listed",
  "patients of other clinics can be booked",
  "a doctor need not exist",
  "doctors can register patients",
  "receptionists can register patients without the grant",
  "receptionists can delete patients",
  "receptionists can finish appointments",
  "doctors cannot check patients in",
  "doctors cannot finish appointments",
  "administrators cannot finish appointments",
  "a role is checked after the patient is found",
  "reading is enough to check in",
  "writing does not include reading",
  ...clinicSideEffects,
] as const;

export type ClinicSideEffect = (typeof clinicSideEffects)[number];

export type ClinicFault = (typeof clinicFaults)[number];

const everything = ["patients:read", "patients:write", "appointments:read", "appointments:write"];
const ada = { user: "ada", account: "north", role: "admin" };

export const clinicCallers: Readonly<Record<string, SampleCaller>> = {
  "clinic-main": { ...ada, scopes: everything },
  "clinic-other": { user: "bob", account: "south", role: "admin", scopes: everything },
  "clinic-reception": { user: "cleo", account: "north", role: "receptionist", scopes: everything },
  "clinic-doctor": { user: "dora", account: "north", role: "doctor", scopes: everything },
  "clinic-patients": { ...ada, scopes: ["patients:write", "patients:read"] },
  "clinic-appointments": { ...ada, scopes: ["appointments:write", "appointments:read"] },
  "clinic-all": { ...ada, scopes: ["*"] },
  "clinic-reader": { ...ada, scopes: ["patients:read", "appointments:read"] },
  "clinic-writer": { ...ada, scopes: ["patients:write", "appointments:write"] },
};

interface Patient extends Fields {
  readonly id: number;
  readonly account: string;
  insurance_number: string;
}

interface Appointment extends Fields {
  readonly id: number;
  readonly account: string;
  readonly doctor_id: number;
  readonly slot: number;
  status: "booked" | "waiting" | "done" | "missed";
}

const queryForms = {
  patient_id: /^-?\d+$/,
  slot: /^-?\d+$/,
  slot_from: /^-?\d+$/,
  slot_to: /^-?\d+$/,
  reason: /^/,
  reason_like: /^/,
  urgent: /^(?:true|false)$/,
  sort: /^-?(?:id|slot)$/,
};

const doctors = [
  { id: 1, name: "Dr. Meyer" },
  { id: 2, name: "Dr. Okafor" },
];

/** A clinic as `clinic.yaml` describes it, except for one fault. */
export function clinic(fault?: ClinicFault): Sample {
  const is = (each: ClinicFault): boolean => each === fault;
  const patients = new Map<number, Patient>();
  const appointments = new Map<number, Appointment>();
  const rolesOf: Readonly<Record<string, readonly string[]>> = {
    createPatient: ["receptionist", "admin", ...(is("doctors can register patients") ? ["doctor"] : [])],
    deletePatient: ["admin", ...(is("receptionists can delete patients") ? ["receptionist"] : [])],
    checkIn: ["receptionist", "admin", ...(is("doctors cannot check patients in") ? [] : ["doctor"])],
    finishAppointment: [
      ...(is("doctors cannot finish appointments") ? [] : ["doctor"]),
      ...(is("administrators cannot finish appointments") ? [] : ["admin"]),
      ...(is("receptionists can finish appointments") ? ["receptionist"] : []),
    ],
  };
  let last = 0;
  const also = sideEffectOf(effectsOf({ patients, appointments }), fault);

  return sampleApi({
    description: "clinic.yaml",
    callers: clinicCallers,
    scopes: {
      ...scoped("appointments:read", "listDoctors getDoctor listAppointments getAppointment"),
      ...scoped("appointments:write", "bookAppointment deleteAppointment checkIn finishAppointment"),
      ...scoped("patients:read", "listPatients getPatient"),
      ...scoped("patients:write", "createPatient updatePatient deletePatient"),
    },
    implied: (held) =>
      held.includes("*")
        ? everything
        : is("writing does not include reading")
          ? held
          : held.flatMap((each) => [each, each.replace(":write", ":read")]),
    without: (check, operation) => check === "scope" && operation === "checkIn" && is("reading is enough to check in"),
    beforeHandler: ({ operation, caller: { role = "" }, id }) => {
      const isLate = is("a role is checked after the patient is found") && operation === "deletePatient";
      if (isLate && !patients.has(id)) throw new SampleRejection(404);
      if (!(rolesOf[operation] ?? [role]).includes(role)) throw new SampleRejection(403);
      // No user of this clinic has the grant `add_patients`.
      const isGranted = is("receptionists can register patients without the grant");
      if (operation === "createPatient" && role === "receptionist" && !isGranted) throw new SampleRejection(403);
      return undefined;
    },
    handlers: {
      listDoctors: () => ({ status: 200, body: doctors }),
      getDoctor: ({ id }) => {
        const doctor = doctors.find((each) => each.id === id);
        if (doctor === undefined) throw new SampleRejection(404);
        return { status: 200, body: doctor };
      },
      listPatients: ({ caller }) => {
        const isMeant = is("patients of other clinics are listed") ? () => true : ownedBy(caller);
        return { status: 200, body: [...patients.values()].filter(isMeant).map(shown) };
      },
      createPatient: (call) => {
        const { fields, caller } = call;
        const { insurance_number: number, email, born } = fields;
        if (isTaken(number, caller) && !is("an insurance number can be used twice"))
          throw new SampleRejection(409, "insurance_number");
        const patient: Patient = {
          id: ++last,
          account: caller.account,
          insurance_number: String(number),
          ...present({ email, born }),
        };
        patients.set(patient.id, patient);
        also(patient, call);
        return { status: 201, body: shown(patient) };
      },
      getPatient: (call) => ({
        status: 200,
        body: shown(patientOf(call, is("patients of other clinics can be read"))),
      }),
      updatePatient: (call) => {
        const patient = patientOf(call);
        const { insurance_number: number, email, born } = call.fields;
        const isOwn = number === patient.insurance_number && !is("a patient cannot keep the insurance number");
        const mayTake = isOwn || is("an insurance number can change to one of another patient");
        if (number !== undefined && isTaken(number, call.caller) && !mayTake)
          throw new SampleRejection(409, "insurance_number");
        Object.assign(patient, present({ insurance_number: number, email, born }));
        also(patient, call);
        return { status: 200, body: shown(patient) };
      },
      deletePatient: (call) => {
        const patient = patientOf(call);
        patients.delete(patient.id);
        also(patient, call);
        return { status: 204 };
      },
      listAppointments: ({ caller, query }) => {
        checkQuery(query, queryForms);
        const isMeant = queryFilter(query, ["patient_id", "slot", "reason", "urgent"]);
        const own = [...appointments.values()].filter(ownedBy(caller));
        const sort = is("the order of appointments is ignored") ? null : query.get("sort");
        const meant = is("appointments are not filtered") ? own : own.filter(isMeant);
        const isAscending = is("appointments are always in ascending order");
        return { status: 200, body: sorted(meant, isAscending ? (sort?.replace("-", "") ?? null) : sort).map(shown) };
      },
      bookAppointment: (call) => book(call),
      getAppointment: (call) => ({ status: 200, body: shown(appointmentOf(call)) }),
      deleteAppointment: (call) => {
        const appointment = appointmentOf(call);
        const { id, status } = appointment;
        const isKept =
          (status === "waiting" && !is("an appointment in treatment can be deleted")) ||
          (status === "booked" && is("a booked appointment cannot be deleted"));
        if (isKept) throw new SampleRejection(409);
        appointments.delete(id);
        also(appointment, call);
        return { status: 204 };
      },
      checkIn: (call) => {
        const appointment = appointmentOf(call);
        const mayEnter = appointment.status === "booked" || is("a patient can check in twice");
        if (!mayEnter) throw new SampleRejection(409);
        appointment.status = is("a waiting patient stays booked") ? "booked" : "waiting";
        also(appointment, call);
        return { status: 200, body: shown(appointment) };
      },
      finishAppointment: (call) => {
        const appointment = appointmentOf(call);
        const mayFinish =
          appointment.status === "waiting" ||
          (appointment.status === "booked" && is("an appointment can be finished before it begins")) ||
          (appointment.status === "done" && is("an appointment can be finished twice"));
        if (!mayFinish) throw new SampleRejection(409);
        appointment.status = is("a finished appointment stays waiting") ? "waiting" : "done";
        also(appointment, call);
        return { status: 200, body: shown(appointment) };
      },
    },
  });

  function book(call: SampleCall) {
    const { fields, caller } = call;
    const { patient_id: patientId, doctor_id: doctorId, slot, reason, urgent = false } = fields;
    const patient = patients.get(Number(patientId));
    const mayBook = patient?.account === caller.account || is("patients of other clinics can be booked");
    if (patient === undefined || !mayBook) throw new SampleRejection(400, "patient_id");
    if (!doctors.some(({ id }) => id === doctorId) && !is("a doctor need not exist"))
      throw new SampleRejection(400, "doctor_id");
    const isBooked = [...appointments.values()].some((each) => each.slot === slot && each.doctor_id === doctorId);
    if (isBooked && !is("a slot can be booked twice"))
      throw new SampleRejection(409, is("a taken slot is reported for another field") ? "urgent" : "slot");
    const appointment: Appointment = {
      id: ++last,
      account: caller.account,
      patient_id: patient.id,
      doctor_id: Number(doctorId),
      slot: Number(slot),
      ...present({ reason }),
      urgent,
      status: is("an appointment begins as waiting") ? "waiting" : "booked",
    };
    appointments.set(appointment.id, appointment);
    also(appointment, call);
    return { status: 201, body: shown(appointment) };
  }

  function isTaken(number: unknown, { account }: SampleCaller): boolean {
    return [...patients.values()].some((each) => each.account === account && each.insurance_number === number);
  }

  function patientOf({ id, caller }: SampleCall, isAny = false): Patient {
    const patient = patients.get(id);
    if (patient === undefined || (patient.account !== caller.account && !isAny)) throw new SampleRejection(404);
    return patient;
  }

  function appointmentOf({ id, caller }: SampleCall): Appointment {
    const appointment = appointments.get(id);
    if (appointment?.account !== caller.account) throw new SampleRejection(404);
    return appointment;
  }
}

/** Effects of operations on what they do not concern, by fault. */
function effectsOf({
  patients,
  appointments,
}: {
  readonly patients: ReadonlyMap<number, Patient>;
  readonly appointments: ReadonlyMap<number, Appointment>;
}): Readonly<Record<ClinicSideEffect, SideEffect>> {
  const otherPatients = ({ id, account }: Fields): readonly Patient[] =>
    [...patients.values()].filter((each) => each.id !== id && each.account === account);
  const otherAppointments = (field: string, subject: Fields): readonly Appointment[] =>
    [...appointments.values()].filter((each) => each.id !== subject["id"] && each[field] === subject[field]);
  return {
    "a new e-mail clears the date of birth": [
      "updatePatient",
      (patient, { fields }) => {
        if ("email" in fields && !("born" in fields)) delete patient["born"];
      },
    ],
    "a new e-mail reaches the other patients": [
      "updatePatient",
      (patient, { fields: { email } }) => {
        for (const other of otherPatients(patient)) if ("email" in other && email !== undefined) other["email"] = email;
      },
    ],
    "a new patient takes the e-mail from others": [
      "createPatient",
      (patient) => {
        for (const other of otherPatients(patient)) if (other["email"] === patient["email"]) delete other["email"];
      },
    ],
    "a deleted patient misses the booked appointments": [
      "deletePatient",
      ({ id }) => {
        for (const each of appointments.values())
          if (each["patient_id"] === id && each.status === "booked") each.status = "missed";
      },
    ],
    "a patient who arrives misses the other appointments": [
      "checkIn",
      (arrived) => {
        for (const other of otherAppointments("patient_id", arrived))
          if (other.status === "booked") other.status = "missed";
      },
    ],
    "a patient who arrives becomes urgent": ["checkIn", (arrived) => (arrived["urgent"] = true)],
    "a finished appointment finishes those that wait for the doctor": [
      "finishAppointment",
      (finished) => {
        for (const other of otherAppointments("doctor_id", finished))
          if (other.status === "waiting") other.status = "done";
      },
    ],
    "a finished appointment loses its reason": ["finishAppointment", (finished) => void delete finished["reason"]],
    "a booking delays later appointments of the doctor": [
      "bookAppointment",
      (booked) => {
        for (const other of otherAppointments("doctor_id", booked))
          if (other.slot > Number(booked["slot"])) Object.assign(other, { slot: other.slot + 1 });
      },
    ],
    "an urgent booking makes the patient urgent elsewhere": [
      "bookAppointment",
      (booked) => {
        for (const other of otherAppointments("patient_id", booked))
          if (booked["urgent"] === true) other["urgent"] = true;
      },
    ],
    "a deleted appointment clears the e-mail of its patient": [
      "deleteAppointment",
      ({ patient_id: id }) => void delete patients.get(Number(id))?.["email"],
    ],
    "a correction reaches the same number in other accounts": [
      "updatePatient",
      (patient, { fields }) => {
        for (const other of patients.values())
          if (other.insurance_number === patient["insurance_number"]) Object.assign(other, fields);
      },
    ],
  };
}
