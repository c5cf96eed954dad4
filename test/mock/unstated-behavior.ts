/** Behavior of Cloud Compute that its description states in prose only, and the cases that expect it. A reason that nothing needs fails. */
export const unstatedBehavior: readonly { readonly because: string; readonly cases: readonly RegExp[] }[] = [
  {
    because:
      "An effect states the action of an event. It has no words for the object that the event is about, or for its end.",
    cases: [
      /^events\/listEvents\/filter\/(secondary_)?entity\./,
      /\/workflows\/events-(tell-of-completion|of-granted-objects)$/,
    ],
  },
  {
    because:
      "Codes are sent by text message or computed from a secret. The description does not say which one is right.",
    cases: [
      /^profile\/\w+\/.*(phone|otp_code|two-factor)/,
      /^profile\/(deletePhoneNumber|verifyPhoneNumber)\/(accepts|frame|second|states|scopes\/exact|unknown-field)/,
    ],
  },
  {
    because: "An import copies what a name server responds. The description does not say whether that allows it.",
    cases: [/^domains\/importDomain\/(workflows|scenarios)\//],
  },
  {
    because: "A zone file is rendered from records by the rules of DNS.",
    cases: [/\/workflows\/(render-zone|zone-of-every-type|names-in-capitals|null-mx)$/],
  },
  {
    because: "The size of an image, of disks and of the space that they leave depends on their contents.",
    cases: [
      /\/errors\/image-does-not-fit\/fails$/,
      /\/workflows\/(restore-without-space|backup-needs-a-large-plan|clone-needs-space)$/,
    ],
  },
  {
    because: "What a backup contains, and whether it is current or available, follows from the instance at that time.",
    cases: [
      /\/errors\/backup-unavailable\/fails$/,
      /\/limits\/automatic-backups-kept$/,
      /\/workflows\/(restore-backup|snapshot-replaces-snapshot|weekly-backup|deploy-from-backup)$/,
    ],
  },
  {
    because: "A default config refers to the disks that another effect creates, and a boot chooses among configs.",
    cases: [
      /\/workflows\/(deploy-from-image|clone-copies-disks-and-configs|boot-chooses-the-config|boot-needs-a-config)$/,
      /\/workflows\/boot-after-the-config-is-gone$/,
    ],
  },
  {
    because: "A condition cannot compare an item of the body with what another object refers to.",
    cases: [
      /\/workflows\/(vlan-in-region-without-vlans|clone-with-vlan|authorized-users-need-keys|stackscript-needs-its-data)$/,
    ],
  },
  {
    because:
      "Nodes are created until their number is the count of their pool, with defaults that depend on that count.",
    cases: [
      /^kube\/createCluster\/created\//,
      /^kube\/\w+\/workflows\/(cluster-life|high-availability|recycling|pool-scaling)$/,
    ],
  },
  {
    because: "The platform decides when it acts: when a watchdog boots, and how long an automatic image stays.",
    cases: [
      /^instances\/getInstance\/(states\/platform\/watchdog|limits\/watchdog-boots)/,
      /^images\/\w+\/(limits\/automatic-image-kept|states\/platform\/instance-deleted)/,
    ],
  },
  {
    because: "Each user has own answers to questions that all users share.",
    cases: [/^profile\/answerSecurityQuestions\/(effects|workflows)\//],
  },
  {
    because: "A value of the platform has a form that only an example shows.",
    cases: [
      /^profile\/getProfile\/visible\/referrals\./,
      /\/workflows\/(instance-defaults|addresses-of-a-new-instance)$/,
    ],
  },
  {
    because: "The contents of a list without resources are not related to the objects that they describe.",
    cases: [/\/workflows\/tag-everything$/],
  },
  {
    because: "A format has a rule of its own: a key has to be readable, and an expiry in the future.",
    cases: [/\/workflows\/(ssh-key-read|token-expiry)$/],
  },
];
