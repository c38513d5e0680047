"""Sentences that the package and the page of the book both say, in one language.

A text holds ``{names}`` for :meth:`str.format`; the page gets all of them as JSON when the book is
built. Constants alone stand here: whoever says a sentence decides which.
"""

from dpchoose.codes import CODE as CODE
from dpchoose.numbers import IN_0_1 as IN_0_1
from dpchoose.numbers import NO_LIMIT as NO_LIMIT
from dpchoose.numbers import OVER_A_MILLION as OVER_A_MILLION
from dpchoose.numbers import THOUSANDS as THOUSANDS
from dpchoose.numbers import WRITTEN_LIKE as WRITTEN_LIKE
from dpchoose.sensitivity.limits import LIMITS_IN_ORDER as LIMITS_IN_ORDER
from dpchoose.your_data.limits import CODES as CODES
from dpchoose.your_data.shares import NO_ROW as NO_ROW

# Readers, as they stand in the table.
VALUE = "asks which of two records a person has"
IN_GROUP = "asks which of two records a person has, in a known group"
MEMBER = "asks whether a person is in"
GROUP = "asks in which of two groups a person is"

# The three beliefs with which every sheet, screen and page begins.
TAKE = "Take a reader who knows all other records, or to whom they tell nothing about this person. "
BELIEFS = (
    "If she is 10% sure of {guess}, this publication makes her at most {ten}% sure; 1% becomes at "
    "most {one}%, 50% at most {half}% (factor {factor}{rows})."
)
BELIEFS_AFTER = (
    "If she was 10% sure of {guess} before anything was published, all of it together makes her "
    "at most {ten}% sure; 1% becomes at most {one}%, 50% at most {half}% (factor {factor}{rows})."
)
CERTAIN = "This publication can make a reader certain of {guess}."
GUESS_VALUES = "a guess about this person's {columns}"
GUESS_BEING_IN = "a guess about this person's being in the file"
GUESS_IN_GROUP = "a guess about this person's being in the file, or in the group"
OR_BEING_IN = ", or about being in the file"
OR_IN_GROUP = ", or about being in the file or in the group"
ONE_ROW = ", where each person has one row"
FEW_ROWS = ", for people with up to {rows} rows each"
ODDS = (
    "10 right to 90 wrong is odds of 1 to 9; factor {factor} makes them {factor} to 9, which is "
    "at most {ten}%."
)

# The sentence to sign: {answers} of {records}{where} {published} with {noise}.{left_out}
MOST_NAMED = 4  # answers that are named one by one
ANSWER = "the {answer}"
EACH_COUNTED = ", each counted as {low} to {high},"
MANY_ANSWERS = "{count} answers"
IN_EACH_GROUP = "{answers} in each of {count} groups"
IN_ONE_GROUP = "{answers}, {group}"
ALL_RECORDS = "all records"
COUNTED_RECORDS = "all {count} records"
WHERE = " where {condition}"
IS_PUBLISHED = "is published"
ARE_PUBLISHED = "are published"
MAY_BE_PUBLISHED = "may be published"
ONE_NOISE = "noise within {error} in 95 of 100 draws"
MANY_NOISES = "noise of the scales in the table"
TO_SIGN = "{answers} of {records}{where} {published} with {noise}.{left_out}"
LEFT_OUT = " Rows that miss {columns} are left out of every answer."
NOTHING = "Nothing can be published so: {reason}."

# What is said of errors, of the promise and of its ends.
NOISE_ALONE = "The error is the noise's alone."
CUT_NOT_IN_IT = (
    "The error is the noise's alone: what cutting the values to their limits takes away is not in "
    "it."
)
HOLDS = (
    "This holds for whoever knows the others, all or some, and holds the rest independent of this "
    "person's record"
)
HOLDS_HIDDEN = (
    "This holds for whoever knows the others, all or some, and holds the rest, their number "
    "included, independent of this person's being in and record"
)
TOGETHER = (
    "; for two people whose records move together the factor is {two} at most, for three {three}."
)
BEING_IN = (
    "That a person is in the file is not protected (for that: hide n), nor is whether a condition "
    "is met, or which values are missing."
)
BEING_IN_GROUP = (
    "That a person is in the file is not protected (for that: hide n), nor is the group, whether "
    "a condition is met, or which values are missing."
)
BEING_IN_HIDDEN = (
    "To be in is to be in the rows that are counted: what a condition or a missing value tells of "
    "a person is protected with it."
)
MEAN_OF_TWO = (
    " A mean is the noisy centred sum over the noisy count, plus the middle of the limits."
)
MULTIPLY = (
    "Anything else that is published about these people is a further answer; factors multiply."
)
LOOKING = (
    "Whatever is decided after looking at the file or at the private screen (limits, codes, "
    "groups, K, whether to publish at all) is an answer without noise."
)
NEVER = (
    "Scale, epsilon and factor may be published with the answers; never the exact answer, how "
    "many values the limits cut, or an error in per cent."
)
NEVER_HIDDEN = (
    "Scale, epsilon and factor may be published with the answers; never n, the size of a group, "
    "the exact answer, how many values the limits cut, or an error in per cent."
)

# What is not protected where n is public, before the way to protect it.
NOT_PROTECTED = "That a person is in the file{group}{missing} is not protected"
AND_GROUP = " and in which group"
OR_MISSING = ", or that a value is missing,"

# What cutting takes away, for the holder of the file.
CUT_EFFECT = (
    "cutting moves {answer} by {difference}, {ratio} times its 95% error. This serves the next "
    "file; choosing these limits by it makes the promise void"
)

# Why there is no answer.
EXCEEDED = "what is out already exceeds {accepted}"
NOTHING_LEFT = "what is out already leaves nothing of {accepted}"

# The sheet.
SIGN = "Sign or refuse?"
ASSUMED = "What is assumed"
UNPROTECTED = "You are not protected if"
DRAWN = (
    "The error of an answer is less than its 95% error in 95 of 100 draws of the noise; the script "
    "rounds to two digits of it, and counts that rounding in. The noise is drawn once, and "
    "independently for each answer, by the person who signs or by one named here:"
)
SIGNED = "Signed or refused, who draws the noise, and the date"
TWO_AND_THREE = (
    "your record moves together with others': for two people the factor is {two} at most, for "
    "three {three};"
)
SEVERAL_ROWS = "you have more than {rows} in this file;"
YOURS_NOT_IF = (
    "these people are asked anything else that is not named here: factors multiply;",
    "the noise is drawn twice, or by a program that is not made for it;",
)
NOT_IF_LIMITS = "limits, codes or groups were chosen by looking at this file;"
NOT_IF_PUBLIC = (
    "your secret is that you are in the file, in your group, that a condition is met, or that a "
    "value is missing: these count as known."
)
ROWS = "The records are the rows of {rows}."
WITHOUT_MISSING = "{file}, without {count} that miss a value"
CHANGED = "a person's record is changed"
COMES_OR_GOES = "a person comes or goes"
ONE_GROUP = " (a person is in one group, so those of groups do not add up)"
ROUNDED = "Scales, errors, risks and factors are rounded up, epsilons down."
ROUNDED_UP = "Scales, errors, risks, factors and epsilons are rounded up."
BEFORE_100 = "of 100 before"
AFTER_100 = "of 100 after, at most"
WHO_READS = ("who reads it", "before -> after", "factor")
ACCEPTABLE = "What you could accept"
TOGETHER_WITHIN = "all within"
AT_MOST = "at most {risk}"

# How a number must be written.
BEFORE_BELOW_RISK = "before must lie below the risk, {risk}, got {before}"
