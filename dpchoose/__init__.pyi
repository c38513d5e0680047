"""The public names, for type checkers."""

from . import datasets as datasets
from .mechanisms.exponential import Exponential as Exponential
from .mechanisms.gaussian import Gaussian as Gaussian
from .mechanisms.laplace import Laplace as Laplace
from .mechanisms.randomized_response import RandomizedResponse as RandomizedResponse
from .risk.bounds import average_risk as average_risk
from .risk.bounds import tight_bound as tight_bound
from .risk.bounds import upper_bound as upper_bound
from .risk.inverse import UnattainableRisk as UnattainableRisk
from .risk.inverse import epsilon_from_risk as epsilon_from_risk
from .risk.odds import after as after
from .risk.odds import odds_factor as odds_factor
from .risk.odds import relative_risk as relative_risk
from .risk.posterior import confidence as confidence
from .risk.posterior import disclosure_risk as disclosure_risk
from .risk.posterior import posterior as posterior
from .risk.record import record_risk as record_risk
from .sensitivity.global_local import Sensitivity as Sensitivity
from .sensitivity.global_local import global_sensitivity as global_sensitivity
from .sensitivity.global_local import local_sensitivity as local_sensitivity
from .sensitivity.limits import limits_sensitivity as limits_sensitivity
from .worlds.subsets import TooManyDatasets as TooManyDatasets
from .worlds.worlds import Worlds as Worlds
from .worlds.worlds import possible_worlds as possible_worlds
from .worlds.worlds import world_answers as world_answers
from .your_data.known_file import KnownFile as KnownFile
from .your_data.public_limits import PublicLimits as PublicLimits
from .your_data.question import Noise as Noise

__version__: str
__all__: list[str]
