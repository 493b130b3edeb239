"""The taxonomy of PII labels and the schemes of other tools that map to and from it."""

from dataclasses import dataclass
from typing import Mapping, Optional

LABELS: Mapping[str, str] = {
    "PERSON": "Name of a private person in any form, without title or possessive",
    "EMAIL_ADDRESS": "E-mail address of a person, obfuscated forms included",
    "PHONE_NUMBER": "Telephone number of a person, spelt-out forms included",
    "URL": "Link that leads to a person: profile, blog, private document, meeting, whiteboard, repository",
    "USERNAME": "Handle or login of a person on any platform",
    "ID_NUM": "Student, staff, account, certificate, candidate or licence-to-practise number",
    "STREET_ADDRESS": "Street address of a person, from street to post code where written as one address",
    "LOCATION": "Place where a person lives, comes from, works or studies; city, state and country apart",
    "SCHOOL": "School or university that a person attended or worked at",
    "GRADE_LEVEL": "School year of a person",
    "COURSE_NUMBER": "Code of a course that a person takes or teaches",
    "NRP": "Nationality, religion, ethnicity or political group of a person",
    "AGE": "Age of a person, with its unit when written",
    "DATE": "Calendar date tied to a person, the course or the conversation",
    "IP_ADDRESS": "Address of a person's network connection",
    "US_SSN": "United States social security number, or its last four digits named as such",
    "US_DRIVER_LICENSE": "Driver licence number",
    "US_PASSPORT": "Passport number",
    "US_BANK_NUMBER": "Bank account or card number",
}
"""The canonical labels, in Presidio's vocabulary where it has the word, with a one-line definition each."""


@dataclass(frozen=True)
class Scheme:
    """The labels of another tool or data set and their place in the canonical taxonomy.

    name (str): Name of the scheme.
    reads (Mapping[str, Optional[str]]): The scheme's label to the canonical one; None where the taxonomy leaves the
        label out on purpose.
    writes (Mapping[str, Optional[str]]): Every canonical label to the scheme's; None where the scheme has no word
        for it, so that leaving it out is a decision that can be read here.
    """

    name: str
    reads: Mapping[str, Optional[str]]
    writes: Mapping[str, Optional[str]]

    def to_canonical(self, label: str) -> Optional[str]:
        """Map a label of the scheme to the canonical one.

        label (str): Label of the scheme. A canonical label is taken as it is.
        RETURNS (Optional[str]): The canonical label, or None where the taxonomy leaves it out.
        RAISES (ValueError): If the scheme does not know the label.
        """
        if label in self.reads:
            return self.reads[label]
        if label in LABELS:
            return label
        raise ValueError(f"Label '{label}' is not part of the scheme '{self.name}': {', '.join(sorted(self.reads))}.")

    def from_canonical(self, label: str) -> Optional[str]:
        """Map a canonical label to the scheme's.

        label (str): Canonical label.
        RETURNS (Optional[str]): The scheme's label, or None where the scheme has no word for it.
        RAISES (ValueError): If the label is not canonical.
        """
        if label not in LABELS:
            raise ValueError(f"Label '{label}' is not a canonical label: {', '.join(LABELS)}.")
        return self.writes[label]


def _scheme(name: str, reads: Mapping[str, Optional[str]], writes: Mapping[str, Optional[str]]) -> Scheme:
    """Build a scheme. `writes` must decide on every canonical label."""
    missing = [label for label in LABELS if label not in writes]
    if missing:
        raise ValueError(f"Scheme '{name}' does not say what becomes of {', '.join(missing)}.")
    return Scheme(name=name, reads=reads, writes=writes)


_US_NUMBERS = ("US_SSN", "US_DRIVER_LICENSE", "US_PASSPORT", "US_BANK_NUMBER")
_NO_WORD: Mapping[str, None] = dict.fromkeys(LABELS)

SCHEMES: Mapping[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        _scheme("canonical", {label: label for label in LABELS}, {label: label for label in LABELS}),
        # The Learning Agency Lab's Cleaned Repository of Annotated PII (CRAPII), also the Kaggle competition's labels.
        _scheme(
            "crapii",
            {
                "NAME_STUDENT": "PERSON",
                "EMAIL": "EMAIL_ADDRESS",
                "USERNAME": "USERNAME",
                "ID_NUM": "ID_NUM",
                "PHONE_NUM": "PHONE_NUMBER",
                "URL_PERSONAL": "URL",
                "STREET_ADDRESS": "STREET_ADDRESS",
            },
            {
                **_NO_WORD,
                "PERSON": "NAME_STUDENT",
                "EMAIL_ADDRESS": "EMAIL",
                "USERNAME": "USERNAME",
                "ID_NUM": "ID_NUM",
                "PHONE_NUMBER": "PHONE_NUM",
                "URL": "URL_PERSONAL",
                "STREET_ADDRESS": "STREET_ADDRESS",
                **dict.fromkeys(_US_NUMBERS, "ID_NUM"),
            },
        ),
        # MathEd-PII (arXiv 2602.16571), whose labels are Presidio's with five of education's own.
        _scheme(
            "mathed",
            {
                **{label: label for label in LABELS},
                "NAME": "PERSON",
                "EMAIL": "EMAIL_ADDRESS",
                "PHONE": "PHONE_NUMBER",
                "ADDRESS": "STREET_ADDRESS",
                "DATE_TIME": "DATE",
                "COURSE": "COURSE_NUMBER",
            },
            {label: label for label in LABELS},
        ),
        _scheme(
            "presidio",
            {
                "PERSON": "PERSON",
                "EMAIL_ADDRESS": "EMAIL_ADDRESS",
                "PHONE_NUMBER": "PHONE_NUMBER",
                "URL": "URL",
                "DOMAIN_NAME": "URL",
                "USERNAME": "USERNAME",
                "ID": "ID_NUM",
                "STREET_ADDRESS": "STREET_ADDRESS",
                "LOCATION": "LOCATION",
                "GPE": "LOCATION",
                "NRP": "NRP",
                "AGE": "AGE",
                "DATE_TIME": "DATE",
                "IP_ADDRESS": "IP_ADDRESS",
                "US_SSN": "US_SSN",
                "US_DRIVER_LICENSE": "US_DRIVER_LICENSE",
                "US_PASSPORT": "US_PASSPORT",
                "US_BANK_NUMBER": "US_BANK_NUMBER",
                "CREDIT_CARD": "US_BANK_NUMBER",
                "IBAN_CODE": "US_BANK_NUMBER",
                "US_ITIN": "ID_NUM",
                "UK_NHS": "ID_NUM",
                "MEDICAL_LICENSE": "ID_NUM",
                "ZIP_CODE": "STREET_ADDRESS",
                # Wider than a school or university: kept out rather than taken for one.
                "ORGANIZATION": None,
                "ORG": None,
                # A title alone points at nobody.
                "TITLE": None,
                # Wallet addresses are not among the identifiers of educational text.
                "CRYPTO": None,
            },
            {
                **{label: label for label in LABELS},
                "DATE": "DATE_TIME",
                "ID_NUM": "ID",
                "SCHOOL": "ORGANIZATION",
            },
        ),
        _scheme(
            "azure",
            {
                "Person": "PERSON",
                # A role or job title ("the teacher") names nobody.
                "PersonType": None,
                "Email": "EMAIL_ADDRESS",
                "PhoneNumber": "PHONE_NUMBER",
                "URL": "URL",
                "Address": "STREET_ADDRESS",
                "IPAddress": "IP_ADDRESS",
                "Age": "AGE",
                "Date": "DATE",
                "DateTime": "DATE",
                "Organization": None,
                "Quantity": None,
                "Event": None,
                "Product": None,
                "Skill": None,
                "Location": "LOCATION",
                "USSocialSecurityNumber": "US_SSN",
                "USDriversLicenseNumber": "US_DRIVER_LICENSE",
                "USUKPassportNumber": "US_PASSPORT",
                "USBankAccountNumber": "US_BANK_NUMBER",
                "CreditCardNumber": "US_BANK_NUMBER",
            },
            {
                **_NO_WORD,
                "PERSON": "Person",
                "EMAIL_ADDRESS": "Email",
                "PHONE_NUMBER": "PhoneNumber",
                "URL": "URL",
                "STREET_ADDRESS": "Address",
                "LOCATION": "Location",
                "SCHOOL": "Organization",
                "AGE": "Age",
                "DATE": "DateTime",
                "IP_ADDRESS": "IPAddress",
                "US_SSN": "USSocialSecurityNumber",
                "US_DRIVER_LICENSE": "USDriversLicenseNumber",
                "US_PASSPORT": "USUKPassportNumber",
                "US_BANK_NUMBER": "USBankAccountNumber",
            },
        ),
        # The 18 identifiers of the Safe Harbor method, 45 CFR 164.514(b)(2)(i)(A)-(R).
        _scheme(
            "hipaa",
            {
                "NAME": "PERSON",
                "GEOGRAPHIC": "LOCATION",
                "DATE": "DATE",
                "TELEPHONE": "PHONE_NUMBER",
                "FAX": "PHONE_NUMBER",
                "EMAIL": "EMAIL_ADDRESS",
                "SSN": "US_SSN",
                "MEDICAL_RECORD": "ID_NUM",
                "HEALTH_PLAN": "ID_NUM",
                "ACCOUNT": "US_BANK_NUMBER",
                "CERTIFICATE_LICENSE": "US_DRIVER_LICENSE",
                "VEHICLE": "ID_NUM",
                "DEVICE": "ID_NUM",
                "URL": "URL",
                "IP": "IP_ADDRESS",
                # Not text.
                "BIOMETRIC": None,
                "PHOTO": None,
                "OTHER": "ID_NUM",
            },
            {
                "PERSON": "NAME",
                "EMAIL_ADDRESS": "EMAIL",
                "PHONE_NUMBER": "TELEPHONE",
                "URL": "URL",
                "USERNAME": "OTHER",
                "ID_NUM": "OTHER",
                "STREET_ADDRESS": "GEOGRAPHIC",
                "LOCATION": "GEOGRAPHIC",
                "SCHOOL": "OTHER",
                # Safe Harbor leaves these in, alone they identify nobody.
                "GRADE_LEVEL": None,
                "COURSE_NUMBER": None,
                "NRP": None,
                # Ages over 89 belong to the dates; the others are left in.
                "AGE": "DATE",
                "DATE": "DATE",
                "IP_ADDRESS": "IP",
                "US_SSN": "SSN",
                "US_DRIVER_LICENSE": "CERTIFICATE_LICENSE",
                "US_PASSPORT": "CERTIFICATE_LICENSE",
                "US_BANK_NUMBER": "ACCOUNT",
            },
        ),
        # MEDDOCAN, Spanish clinical cases (Marimon et al., IberLEF 2019), annotation guide version 1.
        _scheme(
            "meddocan",
            {
                "NOMBRE_SUJETO_ASISTENCIA": "PERSON",
                "NOMBRE_PERSONAL_SANITARIO": "PERSON",
                "EDAD_SUJETO_ASISTENCIA": "AGE",
                "FECHAS": "DATE",
                "CALLE": "STREET_ADDRESS",
                "TERRITORIO": "LOCATION",
                "PAIS": "LOCATION",
                "NUMERO_TELEFONO": "PHONE_NUMBER",
                "NUMERO_FAX": "PHONE_NUMBER",
                "CORREO_ELECTRONICO": "EMAIL_ADDRESS",
                "URL_WEB": "URL",
                "DIREC_PROT_INTERNET": "IP_ADDRESS",
                "ID_SUJETO_ASISTENCIA": "ID_NUM",
                "ID_CONTACTO_ASISTENCIAL": "ID_NUM",
                "ID_ASEGURAMIENTO": "ID_NUM",
                "ID_TITULACION_PERSONAL_SANITARIO": "ID_NUM",
                "ID_EMPLEO_PERSONAL_SANITARIO": "ID_NUM",
                "NUMERO_BENEF_PLAN_SALUD": "ID_NUM",
                "IDENTIF_VEHICULOS_NRSERIE_PLACAS": "ID_NUM",
                "IDENTIF_DISPOSITIVOS_NRSERIE": "ID_NUM",
                "OTRO_NUMERO_IDENTIF": "ID_NUM",
                # Quasi-identifiers that the taxonomy does not hold.
                "SEXO_SUJETO_ASISTENCIA": None,
                "FAMILIARES_SUJETO_ASISTENCIA": None,
                "PROFESION": None,
                "HOSPITAL": None,
                "CENTRO_SALUD": None,
                "INSTITUCION": None,
                "IDENTIF_BIOMETRICOS": None,
                "OTROS_SUJETO_ASISTENCIA": None,
            },
            {
                **_NO_WORD,
                "PERSON": "NOMBRE_SUJETO_ASISTENCIA",
                "EMAIL_ADDRESS": "CORREO_ELECTRONICO",
                "PHONE_NUMBER": "NUMERO_TELEFONO",
                "URL": "URL_WEB",
                "ID_NUM": "OTRO_NUMERO_IDENTIF",
                "STREET_ADDRESS": "CALLE",
                "LOCATION": "TERRITORIO",
                "AGE": "EDAD_SUJETO_ASISTENCIA",
                "DATE": "FECHAS",
                "IP_ADDRESS": "DIREC_PROT_INTERNET",
                **dict.fromkeys(_US_NUMBERS, "OTRO_NUMERO_IDENTIF"),
            },
        ),
    )
}
"""The schemes by name."""


def get_scheme(name: str) -> Scheme:
    """Look a scheme up.

    name (str): Name of the scheme.
    RETURNS (Scheme): The scheme.
    RAISES (ValueError): If there is no scheme of that name.
    """
    if name not in SCHEMES:
        raise ValueError(f"There is no label scheme '{name}'. Known schemes: {', '.join(SCHEMES)}.")
    return SCHEMES[name]


def scheme_table() -> str:
    """Draw the taxonomy and its schemes as a Markdown table, for the documentation.

    RETURNS (str): The table; a dash where a scheme has no word for the label.
    """
    others = [scheme for scheme in SCHEMES.values() if scheme.name != "canonical"]
    rows = [["label", "covers", *(scheme.name for scheme in others)]]
    rows.append(["---"] * len(rows[0]))
    for label, definition in LABELS.items():
        rows.append([f"`{label}`", definition, *(scheme.writes[label] or "–" for scheme in others)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"
